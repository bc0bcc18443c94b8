"""What a person clicks: the deck, the deal, a turn, the yaku, a whole round. View code only; rules are the engine's.

`elements` says what can be shown, `base` carries it to the browser, and each widget has a file of its own.
"""

from .deal_table import DealTable
from .deck_gallery import DeckGallery
from .flash_cards import FlashCards
from .game_table import GameTable
from .quiz import Question, Quiz
from .rules_table import RulesTable
from .turn_trainer import TurnTrainer
from .yaku_board import YakuBoard

__all__ = [
    "DealTable",
    "DeckGallery",
    "FlashCards",
    "GameTable",
    "Question",
    "Quiz",
    "RulesTable",
    "TurnTrainer",
    "YakuBoard",
]
