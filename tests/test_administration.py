"""What an administrator looks for before anything is installed: every file and every action is known by its hash."""

import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
LOCK = (ROOT / "requirements.txt").read_text(encoding="utf-8")
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))


def pins() -> dict[str, tuple[str, list[str]]]:
    """What the lock installs: for each name the pinned version and the hashes of its files."""
    found = {}
    for entry in re.split(r"\n(?=[^\s#])", re.sub(r"(?m)^#.*\n", "", LOCK)):
        requirement = Requirement(entry.partition("\\")[0])
        found[requirement.name] = (str(requirement.specifier), re.findall(r"--hash=sha256:([0-9a-f]{64})\b", entry))
    return found


def wanted() -> list[Requirement]:
    """What requirements.in and the extras that it asks for want; and what builds the package."""
    lines = (ROOT / "requirements.in").read_text(encoding="utf-8").splitlines()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras = project["project"]["optional-dependencies"]
    asked = [line for line in lines if re.match(r"\w", line)]
    asked += project["build-system"]["requires"] + project["project"]["dependencies"]
    asked += [need for extra in ("charts", "cluster", "fast", "notebooks", "tables") for need in extras[extra]]
    return [Requirement(need) for need in asked if not need.startswith("sakura[")]


def test_everything_installed_is_pinned_with_the_hashes_of_its_files() -> None:
    assert len(pins()) > 100
    for name, (version, hashes) in pins().items():
        assert re.fullmatch(r"==[^,*]+", version) and hashes, name


def test_the_lock_holds_all_that_is_asked_for_and_what_builds_the_package() -> None:
    pinned = pins()
    # Hatchling asks for it to install a folder as it lies.
    assert "editables" in pinned
    for need in wanted():
        version, _ = pinned[need.name]
        assert need.specifier.contains(version.removeprefix("==")), need


def test_the_lock_names_no_registry_and_no_path() -> None:
    assert not re.search(r"(?m)://|^-|^\s+--(?!hash=)|(?<![\w.])/\w|\w:\\", LOCK.replace(" \\\n", "\n"))


def test_actions_are_pinned_by_commit() -> None:
    used = [line for path in WORKFLOWS for line in path.read_text().splitlines() if re.search(r"\buses\s*:", line)]
    assert used
    for line in used:
        assert re.fullmatch(r"\s*(- )?uses: [\w.-]+(/[\w.-]+)+@[0-9a-f]{40}  # v\d+(\.\d+)+", line), line


def test_workflows_may_only_read_keep_no_token_and_end() -> None:
    for path in WORKFLOWS:
        text = path.read_text()
        assert re.search(r"(?m)^permissions:\n  contents: read\n(?! )", text) and text.count("permissions:") == 1
        assert text.count("actions/checkout@") == text.count("persist-credentials: false") > 0
        assert text.count("runs-on:") == text.count("timeout-minutes:")
