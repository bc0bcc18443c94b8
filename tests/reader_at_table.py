"""A reader who plays at a lesson's game table, by mouse or by keyboard. For the tests in a browser."""

import json

from playwright.sync_api import expect

from sakura import CARDS, Match


class Reader:
    """A reader in Seat 0. What lies on the table is read from the file that its Save button holds."""

    def __init__(self, page, nth=0):
        self.page, self.press = page, page.page.keyboard.press
        self.table = page.widget("Game table", nth)
        self.says = self.table.get_by_role("status")
        self.hand = self.table.get_by_role("group", name="Your hand").get_by_role("button")
        self.field = self.table.get_by_role("group", name="Field")
        self.targets = self.field.get_by_role("button")
        self.skip_button = self.table.get_by_role("button", name="Skip", exact=True)
        self.save_button = self.table.get_by_role("button", name="Save", exact=True)

    @property
    def match(self):
        return Match.from_dict(json.loads(self.save_button.get_attribute("data-content")))

    @property
    def round(self):
        return self.match.round

    def place_of(self, name):
        """Where the card of that name is in the hand."""
        return [CARDS[card].name for card in sorted(self.round.hands[0])].index(name)

    def asks(self, place):
        """Whether the card at this place of the hand may capture one of several."""
        rnd = self.round
        card = sorted(rnd.hands[0])[place]
        return sum(action.kind == "play" and action.card == card for action in rnd.legal_actions()) > 1

    def skip(self):
        """See nothing of what the others do."""
        self.skip_button.click()
        expect(self.skip_button).to_have_attribute("aria-disabled", "true")

    def turn_by_mouse(self, place=0):
        """Decide what is to be decided, and skip what follows."""
        before, plays = self.save_button.get_attribute("data-content"), self.round.phase == "hand"
        chooses = not plays or self.asks(place)
        if plays:
            self.hand.nth(place).click()
        if chooses:
            self.targets.first.click()
        expect(self.save_button).not_to_have_attribute("data-content", before)
        self.skip()

    def turn_by_keyboard(self, place):
        """The same without the mouse: along the hand, Enter, and back to Skip. The focus is on a card of the hand."""
        before, chooses = self.save_button.get_attribute("data-content"), self.asks(place)
        self.press("Home")
        for _ in range(place):
            self.press("ArrowRight")
        self.press("Enter")
        if chooses:
            expect(self.field.locator(":focus")).to_have_count(1)
            self.press("Home")
            expect(self.targets.first).to_be_focused()
            self.press("Enter")
        expect(self.save_button).not_to_have_attribute("data-content", before)
        while not self.skip_button.evaluate("node => node === document.activeElement"):
            self.press("Shift+Tab")
        self.press("Enter")
        expect(self.skip_button).to_have_attribute("aria-disabled", "true")

    def to_the_hand(self):
        """Tab on until the focus is on a card of the hand."""
        while not self.hand.first.evaluate("node => node.parentNode.contains(document.activeElement)"):
            self.press("Tab")

    def check(self, *sides):
        """The widget shows what the round says: the reader's hand, and the score of each of these sides."""
        rnd = self.round
        held = sorted(rnd.hands[0])
        expect(self.hand).to_have_count(len(held))
        labels = [button.get_attribute("aria-label") for button in self.hand.all()]
        assert [label.split(",")[0] for label in labels] == [CARDS[card].name for card in held]
        for name, score in zip(sides, rnd.returns(), strict=True):
            panel = self.table.get_by_role("group", name=name, exact=True)
            expect(panel.get_by_role("paragraph").filter(has_text="score")).to_have_text(f"score {score}")
