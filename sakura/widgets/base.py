"""`View`: what all widgets share. A widget describes what it shows in `draw`; this carries it to the browser and the
clicks back, keeps its state when a cell is run again, and leaves a picture where nothing runs.

Messages from the browser may come in another thread than the one that runs the cells, at any moment. So whatever looks
at a state or changes it holds the lock that goes with that state; and whoever holds it must not be long, since the cell
that is run again waits for it. What takes its time is done in the background (`sakura.background`), on copies, and is
looked for again with `after`.
"""

import threading
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import Any, Generic, TypeVar

import anywidget
import traitlets
from IPython.core.getipython import get_ipython
from IPython.display import display

from ..art import back_svg, card_svg
from ..cards import CARDS, LANGUAGES
from ..checks import cut, shown
from .elements import BACK, Element, Handler, box, choice, controls, switch, text, to_html, to_json

State = TypeVar("State")

_HERE = Path(__file__).parent
LANGUAGE_NAMES = {
    "en": "English",
    "ja": "Japanese",
    "romaji": "Japanese in Latin letters",
    "fr": "French",
    "hawaii": "Hawaii",
}

# Characters of an error that are shown.
_ERROR = 500


def css(*names: str) -> str:
    """The style of all widgets, and those of the files `names` beside it."""
    return "\n".join((_HERE / f"{name}.css").read_text(encoding="utf-8") for name in ("view", *names))


class View(anywidget.AnyWidget, Generic[State]):
    """A widget with a `state` of its own.

    start: makes the state, where there is none to go on with.  settings: a cell that is run again with equal settings
    goes on with the state that it had.
    """

    _esm = (_HERE / "view.js").read_text(encoding="utf-8")
    _css = css()
    title = "Widget"

    # What is on the screen: the model's `id`, `version`, `tree`, and `say`, `focus`, `after` where there is reason to.
    shown = traitlets.Dict().tag(sync=True)
    # The SVG of each card, by id, as the tree refers to them.
    pictures = traitlets.Dict().tag(sync=True)
    # Before it is made, and once another one has taken its place.
    _silent = True

    def __init__(self, start: Callable[[], State], settings: Hashable = ()) -> None:
        super().__init__()
        self.aids = self.high_contrast = False
        self.language = "en"
        self._error: str | None = None
        self._said: list[str] = []
        self._focus: str | None = None
        self._bring = False
        self._after: tuple[int, Handler] | None = None
        self._controls: dict[str, Element] = {}
        self._painted: tuple[bool, bool, str] | None = None
        # The button pressed last, and the drawing that came of it.
        self._pressed: tuple[str, int] = ("", 1)
        self._lock = threading.RLock()
        # Its name, since anywidget gives each widget a class of its own.
        kept = self._take_over((type(self).__qualname__, settings))
        self.state: State = start() if kept is None else kept
        self._silent = False
        self.on_msg(self._receive)
        self.refresh()

    # ---- For each widget to fill in ----

    def draw(self) -> Element:
        """What is to be seen now."""
        raise NotImplementedError

    def end(self) -> None:
        """Nobody goes on with the state: end what still runs for it."""

    def close(self) -> None:
        super().close()
        if not self._silent:
            with self._lock:
                self._silent = True
                self.end()

    # ---- For each widget to use ----

    def say(self, words: str) -> None:
        """Say what has happened, on the line at the top and to screen readers, with the next drawing."""
        self._said.append(words)

    def focus(self, key: str, *, bring: bool = False) -> None:
        """Move the keyboard's focus to this control or box with the next drawing, if it is in this widget at all. When
        `after` has called, it is only moved from a card, or from what is there no longer.

        bring: scroll there, too. Only for what a person has just asked to see: nothing else moves on its own.
        """
        self._focus, self._bring = key, bring

    def after(self, milliseconds: int, then: Handler) -> None:
        """Call `then` when this drawing has been seen so long, unless something else happens first. Call it in
        `draw`. The browser's clock counts, so nothing waits here, and nothing goes on where nobody sees it."""
        self._after = (milliseconds, then)

    def look_controls(self, *, languages: bool = False) -> Element:
        """Switches for the learning aids, for high contrast and, where names matter, for their language."""
        return box(
            switch("Learning aids", self.aids, self._setter("aids")),
            switch("High contrast", self.high_contrast, self._setter("high_contrast")),
            choice("Names", LANGUAGE_NAMES, self.language, self._setter("language")) if languages else None,
            kind="controls",
        )

    def _setter(self, name: str) -> Handler:
        def change(value: Any) -> None:
            if name == "language" and value not in LANGUAGES:
                raise ValueError(f"language must be one of {', '.join(LANGUAGES)}, got {shown(value)}")
            setattr(self, name, value)

        return change

    def refresh(self) -> None:
        """Draw anew."""
        with self._lock:
            if not self._silent:
                self._after = None
                self._show(self.draw())

    def _show(self, drawn: Element) -> None:
        root = box(text(self._error, kind="error") if self._error else None, drawn, kind="view")
        self._controls = controls(root)
        self._paint()
        shown = {
            "version": self.shown.get("version", 0) + 1,
            "id": self.model_id,
            "label": self.title,
            "tree": to_json(root),
            "say": self._error or " ".join(self._said),
            "focus": self._focus,
            "bring": self._bring,
            "after": self._after and self._after[0],
        }
        self._drawn, self._root, self._said, self._focus, self._bring = drawn, root, [], None, False
        self.shown = shown

    def _paint(self) -> None:
        """Send the pictures, all at once, when cards are to look otherwise than they do."""
        look = (self.aids, self.high_contrast, self.language)
        if look != self._painted:
            self._painted = look
            printed: dict[str, Any] = {"high_contrast": self.high_contrast, "title_language": self.language}
            faces = {str(card.id): str(card_svg(card.id, aids=self.aids, **printed)) for card in CARDS}
            self.pictures = {**faces, str(BACK): str(back_svg(**printed))}

    # ---- From the browser ----

    def _receive(self, _: object, message: dict[str, Any], __: object) -> None:
        """Do what a person asked for, and show what came of it or why it could not be done."""
        with self._lock:
            if not self._silent:
                self._do(message)

    def _do(self, message: dict[str, Any]) -> None:
        key = str(message.get("key"))
        last, drawn = self._pressed
        current = message.get("version", 0) >= drawn
        if key == "after":
            handler = self._after[1] if self._after and current else None
        else:
            control = self._controls.get(key)
            # A second click on the same button, before its answer could be seen, is no wish. But two quick clicks on
            # two buttons are two, and so are a number typed and a button.
            handler = control.handler if control and (current or control.steady or key != last) else None
        if handler is None:
            return
        self._error = None
        try:
            handler(*([message["value"]] if "value" in message else []))
        except (ValueError, OSError) as error:
            self._error = cut(str(error), _ERROR)
        except Exception as error:
            self._error = _mistake(error)
        try:
            self.refresh()
        except Exception as error:
            self._error = _mistake(error)
            self._show(self._drawn)
        if "value" not in message:
            self._pressed = (key, self.shown["version"])

    # ---- Run again, and where nothing runs ----

    def _take_over(self, what: tuple[str, Hashable]) -> State | None:
        """The state of the widget that this one replaces, if the same cell is run again with the same settings."""
        with _PLACES:
            place = _place_in_notebook()
            old, was = _AT_PLACE.get(place, (None, None)) if place else (None, None)
            if place:
                _AT_PLACE[place] = (self, what)
        if old is None:
            return None
        # What it is doing now, it does to the end.
        with old._lock:
            old._silent = True
            old.close()
            if was != what:
                old.end()
                return None
            self._lock = old._lock
            self.aids, self.high_contrast, self.language = old.aids, old.high_contrast, old.language
            kept: State = old.state
            return kept

    def static_html(self) -> str:
        """What is to be seen now, as HTML for a page where nothing runs."""
        look = {"aids": self.aids, "high_contrast": self.high_contrast, "title_language": self.language}
        note = f"<p><i>{self.title}, as a picture. Run the cell above to use it.</i></p>"
        # By the class that names the model, the live widget hides it for as long as it is there itself.
        return f'<div class="sakura-static sakura-stands-for-{self.model_id}">{to_html(self._root, **look)}{note}</div>'

    def _ipython_display_(self) -> None:
        display({"text/html": self.static_html(), "text/plain": f"{self.title}, as a picture"}, raw=True)  # type: ignore[no-untyped-call]
        live, _ = self._repr_mimebundle_() or ({}, {})
        display(live, raw=True)  # type: ignore[no-untyped-call]

    def __repr__(self) -> str:
        return f"{self.title}: something to click, wherever this notebook is run."


def _mistake(error: Exception) -> str:
    """What to show of an error that only the program can be blamed for. Nobody would see it otherwise."""
    return cut(f"The program made a mistake, {type(error).__name__}: {error}", _ERROR)


_PLACES = threading.Lock()
_AT_PLACE: dict[tuple[str, int], tuple[View[Any], tuple[str, Hashable]]] = {}
_counted: tuple[str, int] = ("", 0)


def _place_in_notebook() -> tuple[str, int] | None:
    """The cell that is running, and how many widgets it has made before this one. None where no notebook says so."""
    global _counted
    shell = get_ipython()
    parent = shell.get_parent() if shell is not None and hasattr(shell, "get_parent") else {}
    cell = (parent.get("metadata") or {}).get("cellId")
    if not cell:
        return None
    run = parent["header"]["msg_id"]
    _counted = (run, _counted[1] + 1 if _counted[0] == run else 0)
    return cell, _counted[1]
