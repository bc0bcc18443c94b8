"""Refuse notebooks whose saved outputs prove nothing.

nbval runs a notebook again and compares what comes out with what was saved. It has nothing to
compare in a cell saved without being run, passes over cells that are tagged so, and knows no
other machine than its own. This guard reads the saved notebooks, runs nothing, and says so first:

    python tests/check_saved.py notebooks
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbval.plugin import find_comment_markers, find_metadata_tags

# nbval leaves these out of its comparison.
UNCOMPARED = {"image/jpeg", "image/png", "application/vnd.jupyter.widget-view+json"}

# Absolute paths, a home folder shortened to ~, and addresses in memory.
MACHINE = re.compile(
    r"(?<![\w.])/(?:home|root|tmp|Users|var|work)/|\b[A-Z]:\\|~[/\\]|site-packages"
    r"| at 0x[0-9a-fA-F]+"
)


def complaints(notebook: NotebookNode) -> Iterator[str]:
    """What keeps the saved outputs of `notebook` from being a test, one line each."""
    try:
        nbformat.validate(notebook)
    except nbformat.ValidationError as error:
        yield f"not a valid notebook: {error.message}"
        return
    kernel = notebook.metadata.get("kernelspec", {}).get("name")
    if kernel != "python3":
        yield f"the kernel is {kernel}, not python3"
    run = [
        (index, cell) for index, cell in enumerate(notebook.cells) if cell.cell_type == "code" and cell.source.strip()
    ]
    for count, (index, cell) in enumerate(run, start=1):
        for complaint in _cell_complaints(cell, count):
            yield f"cell {index}: {complaint}"
    if not any(_is_compared(cell) for _, cell in run):
        yield "no output is compared"


def _cell_complaints(cell: NotebookNode, count: int) -> Iterator[str]:
    if cell.execution_count != count:
        yield f"run as [{cell.execution_count}], not [{count}]: restart the kernel and run all"
    if _options(cell).get("skip"):
        yield "skipped"
    may_fail = "raises-exception" in cell.metadata.get("tags", [])
    for output in cell.outputs:
        if output.output_type == "error" and not may_fail:
            yield f"saved {output.ename}, and no tag raises-exception"
        if output.get("name") == "stderr":
            yield "saved text on stderr"
        if found := MACHINE.search("\n".join(_texts(output))):
            yield f"{found[0].strip()!r} is known to one machine only"


def _options(cell: NotebookNode) -> dict[str, bool]:
    """What tags and comments ask of nbval."""
    return dict([*find_metadata_tags(cell.metadata), *find_comment_markers(cell.source)])


def _is_compared(cell: NotebookNode) -> bool:
    return _options(cell).get("check", True) and any(True for o in cell.outputs for _ in _texts(o))


def _texts(output: NotebookNode) -> Iterator[str]:
    """The parts of an output that nbval compares, and the traceback, which it does not."""
    if output.output_type == "stream":
        yield output.text
    elif output.output_type == "error":
        yield from (output.ename, output.evalue, *output.traceback)
    else:
        yield from (str(data) for kind, data in output.data.items() if kind not in UNCOMPARED)


def find(path: Path) -> list[Path]:
    """The notebook at `path`, or every notebook under it but Jupyter's own copies."""
    if path.is_file():
        return [path]
    return sorted(p for p in path.rglob("*.ipynb") if ".ipynb_checkpoints" not in p.parts)


def main(arguments: list[str]) -> int:
    """Print the complaints; 0 when there are notebooks and none has any, else 1."""
    notebooks = [notebook for argument in arguments for notebook in find(Path(argument))]
    found = [
        f"{path}: {complaint}" for path in notebooks for complaint in complaints(nbformat.read(path, as_version=4))
    ]
    print(*found, f"{len(notebooks)} notebooks, {len(found)} complaints", sep="\n")
    return 0 if notebooks and not found else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
