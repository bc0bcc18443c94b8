"""The command line: `python -m sakura simulate …` and `python -m sakura summary …`."""

import argparse
import sys
from collections.abc import Sequence

from .agents import BUILT_IN, StrategyError
from .results import Results
from .rules import MAX_PLAYERS, MIN_PLAYERS, PRESETS, Rules
from .simulate import simulate
from .version import __version__


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="sakura", description="Sakura, the Hawaiian hanafuda card game.")
    parser.add_argument("--version", action="version", version=f"sakura {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    command = commands.add_parser(
        "simulate",
        help="play many rounds into a folder of Parquet files",
        description="Play many rounds into a folder of Parquet files, which may hold other rounds of the same rules "
        "and agents already. Ctrl-C leaves the rounds that are done; the same command again goes on from there.",
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
    command.add_argument("--first", type=int, default=0, help="the number of the first round (default 0)")
    command.add_argument("--out", required=True, metavar="FOLDER", help="where the rounds are kept")
    command.add_argument("--quiet", action="store_true", help="show no progress")
    command.set_defaults(run=_simulate)
    command = commands.add_parser(
        "summary",
        help="sum up rounds that were played",
        description="Sum up all rounds in files and folders: means and shares with their 95%% intervals.",
    )
    command.add_argument("paths", nargs="+", metavar="PATH", help="a Parquet file, or a folder of them")
    command.add_argument("--quiet", action="store_true", help="show no progress")
    command.set_defaults(run=_summary)
    return parser


def _simulate(args: argparse.Namespace) -> None:
    rules = Rules.preset(args.rules, players=args.players, teams=args.teams)
    scan = simulate(
        *(args.rounds, rules, [name.strip() for name in args.agents.split(",")], args.seed),
        first=args.first,
        out=args.out,
        progress=not args.quiet,
    )
    # There may have been more rounds than were asked for.
    print(f"{args.out}: {scan}")


def _summary(args: argparse.Namespace) -> None:
    from .stats import CONFIDENCE, Estimate

    scan = Results.scan(*args.paths)
    table = scan.summary(progress=not args.quiet)
    shown = [str(Estimate(*row)) for row in table[["value", "low", "high", "n"]].itertuples(index=False)]
    # What belongs to no side stands in the first column.
    table = table.assign(side=table["side"].fillna(0).map("side {}".format), shown=shown)
    by_side = table.pivot(index="measure", columns="side", values="shown").loc[table["measure"].unique()].fillna("")
    print(f"{scan}; [intervals of {CONFIDENCE:.0%}]\n{by_side.rename_axis(index=None, columns=None).to_string()}")


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
