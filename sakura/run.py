"""What the rounds of a simulation follow from (`Run`), and the columns that they are written into (`Table`)."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from .bits import SEEDS
from .checks import items, record, shown, switch, whole
from .rules import Rules
from .version import __version__
from .yaku import YAKU


class Table(NamedTuple):
    """The columns of some rounds, as `Results` describes them. `yaku_turns` has no rows where it was not asked for."""

    scores: npt.NDArray[np.int16]
    captured: npt.NDArray[np.uint64]
    dealer: npt.NDArray[np.uint8]
    yaku: npt.NDArray[np.uint8]
    turns: npt.NDArray[np.uint8]
    yaku_turns: npt.NDArray[np.uint8]

    @classmethod
    def empty(cls, rounds: int, sides: int, yaku_turns: bool) -> "Table":
        """A table of so many rounds, all zero."""
        return cls(
            np.zeros((rounds, sides), np.int16),
            np.zeros((rounds, sides), np.uint64),
            np.zeros(rounds, np.uint8),
            np.zeros((rounds, sides), np.uint8),
            np.zeros(rounds, np.uint8),
            np.zeros((rounds if yaku_turns else 0, sides, len(YAKU)), np.uint8),
        )

    def enter(self, row: int, rounds: "Table") -> None:
        """Write other rounds into the rows from `row` on."""
        for name in self._fields:
            values = getattr(rounds, name)
            getattr(self, name)[row : row + len(values)] = values

    def rows(self, start: int, stop: int) -> "Table":
        """The rounds in the rows from `start` on, before `stop`."""
        return Table._make(column[start:stop] for column in self)

    def head(self, rounds: int) -> "Table":
        """The first rounds."""
        return self.rows(0, rounds)


def bytes_per_round(sides: int, yaku_turns: bool) -> int:
    """The memory that one round of results takes."""
    return sum(column.nbytes for column in Table.empty(1, sides, yaku_turns))


@dataclass(frozen=True)
class Run:
    """What the rounds of a simulation follow from.

    dealer: a seat, or None for a deal that rotates.
    strategies: where not all agents are built in, a fingerprint of each (`agents.fingerprint`), by which another
        strategy of the same name is told; "" for one that cannot be told from others.
    """

    seed: int
    rules: Rules
    agents: tuple[str, ...]
    dealer: int | None = None
    yaku_turns: bool = False
    version: str = __version__
    strategies: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.how}, seed {self.seed}"

    @property
    def how(self) -> str:
        """All but the seed, in words."""
        dealer = "" if self.dealer is None else f", dealer {self.dealer}"
        # One name will do where all seats play alike.
        agents = self.agents[:1] if len(set(self.agents)) == 1 else self.agents
        return f"{self.rules}, agents {', '.join(agents)}{dealer}"

    def differences(self, other: "Run") -> list[str]:
        """In what this run is another kind of run than `other`, whatever their seeds; none if rounds of both may be put
        together."""
        found = [
            f"{what} {ours}, not {theirs}"
            for what, ours, theirs in (
                ("rules", self.rules, other.rules),
                ("agents", ", ".join(self.agents), ", ".join(other.agents)),
                ("dealer", self.dealer, other.dealer),
                ("yaku_turns", self.yaku_turns, other.yaku_turns),
                ("version", self.version, other.version),
            )
            if ours != theirs
        ]
        if not found and self.strategies != other.strategies:
            names = ", ".join(dict.fromkeys(self.agents))
            found.append(f"other strategies of the names {names}: other code, or other values in it")
        elif not found and "" in self.strategies:
            found.append("a strategy that cannot be told for sure from others of its name")
        return found

    def to_dict(self) -> dict[str, Any]:
        """As JSON can hold it."""
        return {
            "version": self.version,
            "seed": self.seed,
            "rules": self.rules.to_dict(),
            "agents": self.agents,
            "dealer": self.dealer,
            "yaku_turns": self.yaku_turns,
            "strategies": self.strategies,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Run":
        """Raises ValueError where `to_dict` did not make this."""
        try:
            run = record("it", data, (field.name for field in fields(cls)))
            rules = Rules.from_saved(run["rules"])
            return cls(
                seed=whole("seed", run["seed"], 0, SEEDS),
                rules=rules,
                agents=_texts("agents", run["agents"], (rules.players,)),
                dealer=None if run["dealer"] is None else whole("dealer", run["dealer"], 0, rules.players),
                yaku_turns=switch("yaku_turns", run["yaku_turns"]),
                version=_text("version", run["version"]),
                strategies=_texts("strategies", run["strategies"], (0, rules.players)),
            )
        except (TypeError, ValueError) as error:
            raise ValueError(f"its description of the run is damaged: {error}") from None


def _texts(name: str, value: object, lengths: Collection[int]) -> tuple[str, ...]:
    """A list of texts, of one of these lengths."""
    texts = items(name, value)
    if len(texts) not in lengths:
        raise ValueError(f"{name} must have {' or '.join(map(str, lengths))} entries, got {len(texts)}")
    return tuple(_text(name, each) for each in texts)


def _text(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{name} must be text, got {shown(value)}")
    return value
