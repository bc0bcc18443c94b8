"""The command line: `python -m sakura simulate …`."""

import argparse
import sys
from collections.abc import Sequence

from .agents import BUILT_IN, StrategyError
from .rules import MAX_PLAYERS, MIN_PLAYERS, PRESETS, Rules
from .simulate import simulate
from .version import __version__


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="sakura", description="Sakura, the Hawaiian hanafuda card game.")
    parser.add_argument("--version", action="version", version=f"sakura {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    command = commands.add_parser(
        "simulate",
        help="play many rounds into a Parquet file",
        description="Play many rounds into a Parquet file. Ctrl-C leaves the file with the rounds that are done; "
        "the same command again goes on from there.",
    )
    command.add_argument(
        "--players",
        type=int,
        default=MIN_PLAYERS,
        help=f"{MIN_PLAYERS} to {MAX_PLAYERS} (default {MIN_PLAYERS})",
    )
    command.add_argument("--teams", type=int, help="number of teams, for 4 or 6 players")
    command.add_argument("--rounds", type=int, required=True, help="such as 1_000_000")
    command.add_argument(
        "--agents",
        default="random",
        help=f"{' or '.join(BUILT_IN)}; several, with commas between, are dealt out to the seats in turn",
    )
    command.add_argument("--rules", default="hawaii", help=f"{', '.join(PRESETS)} (default hawaii)")
    command.add_argument("--seed", type=int, default=0, help="rounds of one seed are always the same (default 0)")
    command.add_argument("--out", required=True, metavar="FILE", help="the Parquet file")
    command.add_argument("--quiet", action="store_true", help="show no progress")
    command.set_defaults(run=_simulate)
    return parser


def _simulate(args: argparse.Namespace) -> None:
    import pyarrow.parquet as pq

    rules = Rules.preset(args.rules, players=args.players, teams=args.teams)
    path = simulate(args.rounds, rules, args.agents.split(","), args.seed, out=args.out, progress=not args.quiet)
    # The file may have held more rounds than were asked for.
    print(f"{path}: {pq.read_metadata(path).num_rows:_} rounds, {rules}, agents {args.agents}, seed {args.seed}")


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit status: 0, 1 for an error (told in one line), 130 after Ctrl-C."""
    args = _parser().parse_args(argv)
    try:
        args.run(args)
    except KeyboardInterrupt as stopped:
        print(f"sakura: {str(stopped) or 'interrupted'}", file=sys.stderr)
        return 130
    except (ValueError, TypeError, OSError, StrategyError) as error:
        print(f"sakura: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
