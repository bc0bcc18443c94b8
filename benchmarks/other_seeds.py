"""Whether what the notebooks claim holds under other seeds: `python -m benchmarks.other_seeds 10 12 --seeds 10`.

Each notebook is run once for each seed, with the seed put in place of its own; a cell that fails, an assertion most of
all, is shown with the cell. Nothing is saved. The exit status is 1 where anything failed.
"""

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from tqdm.auto import tqdm

FOLDER = Path(__file__).resolve().parent.parent / "notebooks"
COLOURS = re.compile(r"\x1b\[[0-9;]*m")
# The cell that a notebook sets its seed in.
SETS_SEED = re.compile(r"^(?:\w+, )*SEED\b.* = ", re.MULTILINE)


def failure(path: Path, seed: int) -> str | None:
    """Run a notebook with another seed; what failed first, or None. Raises ValueError where it sets no SEED."""
    notebook = nbformat.read(path, as_version=4)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code" and SETS_SEED.search(cell.source)]
    if len(cells) != 1:
        raise ValueError(f"{path.name} sets SEED in {len(cells)} cells; one is needed")
    cells[0].source += f"\nSEED = {seed}"
    client = NotebookClient(notebook, timeout=None, resources={"metadata": {"path": str(path.parent)}})
    try:
        client.execute()
    except CellExecutionError as error:
        return COLOURS.sub("", str(error))
    return None


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("numbers", nargs="+", help="numbers of notebooks, such as 10")
    parser.add_argument("--seeds", type=int, default=10, help="how many other seeds (default 10)")
    parser.add_argument("--first", type=int, default=1000, help="the first of them (default 1000)")
    args = parser.parse_args(argv)
    paths = [path for number in args.numbers for path in sorted(FOLDER.glob(f"{number}_*.ipynb"))]
    failed = 0
    for path in paths:
        seeds = range(args.first, args.first + args.seeds)
        found = {seed: why for seed in tqdm(seeds, desc=path.stem) if (why := failure(path, seed))}
        failed += len(found)
        print(f"{path.stem}: {len(found)} of {len(seeds)} seeds failed", flush=True)
        for seed, why in found.items():
            print(f"  seed {seed}: {why}", flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
