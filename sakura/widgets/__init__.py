"""What a person clicks: the deck, the deal, a turn, the yaku, a whole round. View code only; rules are the engine's.

`elements` says what can be shown, `base` carries it to the browser, and each widget has a file of its own.
"""

from importlib import import_module

# Each is loaded when it is first asked for.
_WHERE = {
    "DeckGallery": "deck_gallery",
    "FlashCards": "flash_cards",
    "DealTable": "deal_table",
    "TurnTrainer": "turn_trainer",
    "YakuBoard": "yaku_board",
    "GameTable": "game_table",
    "Question": "quiz",
    "Quiz": "quiz",
}

__all__ = list(_WHERE)


def __getattr__(name: str) -> object:
    if name not in _WHERE:
        raise AttributeError(f"there is no widget {name!r}; there are {', '.join(_WHERE)}")
    return getattr(import_module(f".{_WHERE[name]}", __name__), name)
