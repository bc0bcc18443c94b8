"""The guard on saved outputs sees each kind of notebook that could not fail."""

from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from check_saved import complaints, main


def notebook(*cells: NotebookNode, kernel: str = "python3") -> NotebookNode:
    spec = {"name": kernel, "display_name": kernel}
    return new_notebook(cells=[new_markdown_cell("# Title"), *cells], metadata={"kernelspec": spec})


def cell(
    *outputs: NotebookNode, count: int | None = 1, source: str = "run()", tags: tuple[str, ...] = ()
) -> NotebookNode:
    return new_code_cell(source, execution_count=count, outputs=list(outputs), metadata={"tags": list(tags)})


def printed(text: str, name: str = "stdout") -> NotebookNode:
    return new_output("stream", name=name, text=text)


def shown(**data: str) -> NotebookNode:
    return new_output("display_data", data={k.replace("_", "/"): v for k, v in data.items()})


def raised(*traceback: str) -> NotebookNode:
    return new_output("error", ename="ValueError", evalue="no", traceback=list(traceback))


GOOD = cell(printed("48 cards"))

BAD = {
    "the kernel is julia": notebook(GOOD, kernel="julia"),
    "no output is compared": notebook(),
    "not a valid notebook": nbformat.from_dict(
        {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [{"id": "a"}]}
    ),
    "cell 1: run as [None], not [1]": notebook(cell(printed("x"), count=None)),
    "cell 2: run as [1], not [2]": notebook(GOOD, cell(printed("x"))),
    "cell 2: skipped": notebook(GOOD, cell(count=2, tags=("nbval-skip",))),
    "cell 1: skipped": notebook(cell(printed("x"), source="# NBVAL_SKIP\nrun()")),
    "cell 1: saved ValueError": notebook(cell(raised())),
    "cell 1: saved text on stderr": notebook(cell(printed("hot", name="stderr"))),
    "'/home/'": notebook(cell(printed("/home/ann/cards.csv"))),
    "'C:\\\\'": notebook(cell(shown(text_plain="'C:\\cards.csv'"))),
    "'~/'": notebook(cell(raised("File ~/sakura/round.py:7"), tags=("raises-exception",))),
    "'site-packages'": notebook(cell(shown(text_html="<p>site-packages/numpy</p>"))),
    "'at 0x7f'": notebook(cell(shown(text_plain="<object at 0x7f>"))),
}

UNCOMPARED = {
    "picture": cell(shown(image_png="iVBORw0KGgo=")),
    "tag": cell(printed("x"), tags=("nbval-ignore-output",)),
    "comment": cell(printed("x"), source="# NBVAL_IGNORE_OUTPUT\nrun()"),
}

FINE = {
    "text": GOOD,
    "table": cell(shown(text_html="<table></table>")),
    "link": cell(printed("https://example.org/home/page, a/work/b, 3/4")),
    "expected error": cell(raised(), tags=("raises-exception",)),
}


@pytest.mark.parametrize("complaint", BAD)
def test_each_bad_notebook_is_refused(complaint: str) -> None:
    assert [found for found in complaints(BAD[complaint]) if complaint in found]


@pytest.mark.parametrize("name", UNCOMPARED)
def test_what_nbval_does_not_compare_is_no_test(name: str) -> None:
    assert list(complaints(notebook(UNCOMPARED[name]))) == ["no output is compared"]


@pytest.mark.parametrize("name", FINE)
def test_good_notebooks_pass(name: str) -> None:
    assert list(complaints(notebook(FINE[name], cell(count=None, source=" ")))) == []


def test_exit_code(tmp_path: Path) -> None:
    assert main([str(tmp_path)]) == 1  # nothing to check is no success
    nbformat.write(notebook(GOOD), tmp_path / "good.ipynb")
    assert main([str(tmp_path)]) == 0
    nbformat.write(notebook(GOOD, cell(printed("x"))), tmp_path / "bad.ipynb")
    assert main([str(tmp_path)]) == 1
    assert main([str(tmp_path / "good.ipynb")]) == 0
