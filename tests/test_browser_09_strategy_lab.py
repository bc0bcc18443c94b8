"""Notebook 09 in JupyterLab: a reader watches a strategy of the notebook's own play a round, step by step."""

import pytest

pytest.importorskip("playwright")

import nbformat
from playwright.sync_api import expect

import browser

NOTEBOOK = "09_strategy_lab"


def test_a_reader_watches_the_strategy_play(lab, visit):
    page = visit(lab, NOTEBOOK, run=False)
    # Only what the table needs: the rest is nbval's.
    cells = nbformat.read(browser.NOTEBOOKS / f"{NOTEBOOK}.ipynb", as_version=4).cells
    after = next(n for n, cell in enumerate(cells) if cell.source.startswith("GameTable(")) + 1
    page.page.evaluate(f"window.jupyterapp.shell.currentWidget.content.activeCellIndex = {after}")
    page.command("notebook:run-all-above")

    table = page.widget("Game table")
    says, step = table.get_by_role("status"), table.get_by_role("button", name="Step", exact=True)
    expect(table).to_contain_text("dearest")

    # What the notebook tells the reader to look out for: Seat 0 lays the Crane, Seat 1 takes it.
    told = []
    while not any("Crane" in line and "capture" in line for line in told):
        before = says.inner_text()
        step.click()
        expect(says).not_to_have_text(before)
        told.append(says.inner_text())
        assert len(told) < 40, told
    assert any("Seat 0 plays Crane" in line for line in told[:-1])
    page.axe(table)
    page.picture("09_watched", table)

    table.get_by_role("button", name="Go on", exact=True).click()
    table.get_by_role("button", name="Skip", exact=True).click()
    score = table.get_by_role("table", name="How the score comes about").get_by_role("row", name="Score ")
    expect(score.get_by_role("cell")).to_have_text(["100", "45"])
    page.picture("09_end", table)
