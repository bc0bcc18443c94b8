"""The first lesson in JupyterLab: the gallery and the flash cards, by mouse and by keyboard alone."""

from collections.abc import Callable

import pytest

pytest.importorskip("playwright")

from playwright.sync_api import Locator, expect

from sakura import CARDS

# From the click to the moment when what it changes has been drawn, in milliseconds.
CLICKED_TO_DRAWN = """button => new Promise(resolve => {
    const body = button.closest(".sakura-body");
    const watch = new MutationObserver(() => {
        watch.disconnect();
        requestAnimationFrame(() => resolve(performance.now() - start));
    });
    watch.observe(body, {subtree: true, childList: true, attributes: true, characterData: true});
    const start = performance.now();
    button.click();
})"""
FOCUSED = "document.activeElement.getAttribute('aria-label') || document.activeElement.textContent"


def focused(page: object) -> str:
    return page.page.evaluate(FOCUSED)


def choose_by_keyboard(page: object, box: Locator, letters: str) -> None:
    """A list takes the first option that begins with what is typed."""
    box.focus()
    page.page.keyboard.type(letters)


@pytest.fixture
def lesson(lab: object, visit: Callable[..., object]) -> object:
    page = visit(lab, "01_the_deck")
    expect(page.page.locator("section.sakura")).to_have_count(9)
    return page


def test_the_first_lesson(lesson: object) -> None:
    gallery, flash = lesson.widget("Deck gallery"), lesson.widget("Flash cards")
    the_gallery_by_mouse(lesson, gallery)
    the_gallery_by_keyboard(lesson, gallery)
    flash_cards_by_mouse(lesson, flash)
    flash_cards_by_keyboard(lesson, flash)
    the_quiz(lesson)
    on_a_projector_and_on_a_phone(lesson, gallery, flash)


def the_gallery_by_mouse(page: object, gallery: Locator) -> None:
    status = gallery.get_by_role("status")
    expect(gallery).to_contain_text("48 of 48 cards: 4 brights, 11 ribbons, 10 animals, 23 plain, 240 points")
    page.picture("01_gallery", gallery)
    gallery.get_by_role("button", name="Rain man").click()
    story = gallery.get_by_role("group", name="The story: Rain man")
    expect(story).to_contain_text("Ono no Michikaze")
    expect(story).to_be_in_viewport()
    expect(status).to_have_text("Rain man, Willow, November, 5 points. Its story is open.")
    gallery.get_by_role("button", name="Curtain").click()
    story = gallery.get_by_role("group", name="The story: Curtain")
    expect(story.get_by_role("img", name="Sake cup")).to_be_visible()
    expect(story).to_contain_text("sakura ni maku")
    page.picture("01_story")
    page.axe(gallery)
    gallery.get_by_label("Kind").select_option("plain")
    expect(gallery).to_contain_text("23 of 48 cards: 23 plain, 0 points")
    expect(story).to_have_count(0)
    gallery.get_by_label("Suit").select_option("4")
    expect(gallery.get_by_role("button", name="Wisteria plain")).to_have_count(2)
    gallery.get_by_role("button", name="Clear filters").click()
    expect(gallery.get_by_role("button", name="points")).to_have_count(48)
    gallery.get_by_label("Names").select_option("fr")
    gallery.get_by_label("Learning aids").check()
    expect(gallery.get_by_role("button", name="Grue, Pin, janvier, 20 points")).to_be_visible()
    gallery.get_by_label("Names").select_option("en")
    crane = gallery.get_by_role("button", name="Crane, Pine")
    expect(crane).to_be_visible()
    # Opened, closed and opened: the quickest, because other programs may be in the way.
    assert min(crane.evaluate(CLICKED_TO_DRAWN) for _ in range(3)) < 300
    expect(gallery.get_by_role("group", name="The story: Crane")).to_be_visible()
    page.picture("01_aids")


def the_gallery_by_keyboard(page: object, gallery: Locator) -> None:
    press = page.page.keyboard.press
    choose_by_keyboard(page, gallery.get_by_label("Kind"), "Bri")
    expect(gallery).to_contain_text("4 of 48 cards: 4 brights, 80 points")
    # Points, yaku, clear, aids, contrast, names, and then the cards: one stop for all of them.
    for _ in range(7):
        press("Tab")
    assert focused(page).startswith("Crane")
    # Its story is still open.
    press("Enter")
    expect(gallery.get_by_role("status")).to_have_text("The story is closed.")
    press("ArrowRight")
    press("ArrowRight")
    assert focused(page).startswith("Moon")
    press("Enter")
    expect(gallery.get_by_role("group", name="The story: Moon")).to_be_visible()
    assert focused(page).startswith("Moon")
    press("ArrowRight")
    assert focused(page) == "Close the story: Moon"
    press("Space")
    expect(gallery.get_by_role("group", name="The story: Moon")).to_have_count(0)
    assert focused(page).startswith("Moon")
    press("End")
    assert focused(page).startswith("Phoenix")
    press("Tab")
    assert not gallery.evaluate("node => node.contains(document.activeElement)")


def suit_seen(flash: Locator) -> str:
    """Which suit is asked for: the buttons of the answers tell, when one knows the card by what is seen on it."""
    from sakura.widgets.deck_gallery import CARD_LOOKS, SUIT_LOOKS

    look = flash.get_by_role("img").first.get_attribute("aria-label").removeprefix("A card. ")
    months = [month for month, words in SUIT_LOOKS.items() if words == look]
    months += [CARDS[card].month for card, words in CARD_LOOKS.items() if words == look]
    return CARDS[4 * months[0] - 4].suit


def flash_cards_by_mouse(page: object, flash: Locator) -> None:
    answers = flash.get_by_role("group", name="Answers").get_by_role("button")
    first = suit_seen(flash)
    wrong = next(answer for answer in answers.all_text_contents() if answer != first)
    flash.get_by_role("button", name=wrong, exact=True).click()
    expect(flash.get_by_role("status")).to_have_text("Not so. This question comes again soon.")
    expect(flash.get_by_role("button", name=f"✓ {first}")).to_be_visible()
    page.picture("01_flash_missed")
    page.axe(flash)
    waited = []
    for in_a_row in (1, 2):
        flash.get_by_role("button", name="Next").click()
        expect(flash.get_by_role("status")).to_have_text("Which suit is this card?")
        right = flash.get_by_role("button", name=suit_seen(flash), exact=True)
        waited.append(right.evaluate(CLICKED_TO_DRAWN))
        expect(flash).to_contain_text(f"in a row: {in_a_row}")
    assert min(waited) < 300
    flash.get_by_role("button", name="Next").click()
    expect(flash.get_by_role("status")).to_have_text("Once more: Which suit is this card?")
    assert suit_seen(flash) == first
    page.picture("01_flash")


def flash_cards_by_keyboard(page: object, flash: Locator) -> None:
    press = page.page.keyboard.press
    answers = flash.get_by_role("group", name="Answers").get_by_role("button")
    answers.first.focus()
    for in_a_row in range(3, 7):
        right = suit_seen(flash)
        while focused(page) != right:
            press("ArrowRight")
        press("Enter")
        expect(flash).to_contain_text(f"in a row: {in_a_row}")
        expect(flash.get_by_role("button", name="Next")).to_be_focused()
        press("Enter")
        expect(flash.get_by_role("button", name="Next")).to_have_attribute("aria-disabled", "true")
        expect(answers.first).to_be_focused()


def the_quiz(page: object) -> None:
    quiz = page.widget("Check yourself", 1)
    quiz.get_by_role("button", name="23").click()
    expect(quiz.get_by_role("status")).to_contain_text("Right.")
    page.axe(quiz)


def on_a_projector_and_on_a_phone(page: object, gallery: Locator, flash: Locator) -> None:
    page.command("application:toggle-left-area")
    for name, width, height in (("projector", 1024, 640), ("phone", 390, 800)):
        page.page.set_viewport_size({"width": width, "height": height})
        gallery.get_by_label("Kind").select_option("")
        gallery.get_by_role("button", name="Sake cup").click()
        story = gallery.get_by_role("group", name="The story: Sake cup")
        expect(story).to_be_visible()
        for part in (gallery, story, flash):
            part.scroll_into_view_if_needed()
            assert part.evaluate("node => node.scrollWidth <= node.clientWidth")
        story.scroll_into_view_if_needed()
        page.picture(f"01_story_{name}")
        gallery.get_by_role("button", name="Close").click()
        expect(story).to_have_count(0)
        flash.scroll_into_view_if_needed()
        page.picture(f"01_flash_{name}")
