"""The package stands on its own: built, installed and played without the checkout around it."""

import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[1]

ONE_ROUND = """
from importlib.util import find_spec
import sakura

rnd = sakura.Round(sakura.Rules(players=2), seed=7, dealer=0)
while not rnd.is_terminal:
    rnd.apply_action(rnd.legal_actions()[0])
absent = [name for name in ("numba", "pandas") if find_spec(name) is None]
print(len(sakura.CARDS), len(rnd.returns()), *absent)
"""


def run(*command: str | Path, cwd: Path = ROOT) -> str:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def build_wheel(source: Path, folder: Path) -> Path:
    pip_wheel = (sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation")
    run(*pip_wheel, "--wheel-dir", folder, source)
    (wheel,) = folder.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel(ROOT, tmp_path_factory.mktemp("wheel"))


def files(wheel: Path) -> list[str]:
    with ZipFile(wheel) as archive:
        return sorted(archive.namelist())


def test_the_wheel_carries_the_tables(wheel: Path) -> None:
    tables = {f"sakura/data/{path.name}" for path in (ROOT / "data").iterdir()}
    assert tables and tables <= set(files(wheel))


def test_the_wheel_carries_what_browsers_need(wheel: Path) -> None:
    needed = {f"sakura/widgets/{path.name}" for path in (ROOT / "sakura/widgets").glob("*.[cj]s*")}
    assert "sakura/widgets/view.js" in needed and needed <= set(files(wheel))


def test_the_sdist_builds_the_same_wheel(wheel: Path, tmp_path: Path) -> None:
    run(sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", tmp_path)
    (sdist,) = tmp_path.glob("*.tar.gz")
    assert files(build_wheel(sdist, tmp_path)) == files(wheel)


def test_the_wheel_plays_with_numpy_and_tqdm_alone(wheel: Path, tmp_path: Path) -> None:
    venv = tmp_path / "venv"
    run(sys.executable, "-m", "venv", "--without-pip", venv)
    scripts = venv / ("Scripts" if sys.platform == "win32" else "bin")
    pip_install = (sys.executable, "-m", "pip", "--python", venv, "install")
    needs = [f"{name}=={version(name)}" for name in ("numpy", "tqdm")]
    got = subprocess.run([*pip_install, *needs], cwd=tmp_path, capture_output=True, text=True)
    if got.returncode != 0:
        pytest.skip(f"the package index gave no numpy and tqdm: {got.stderr.strip()}")
    run(*pip_install, "--no-index", wheel)
    assert run(scripts / "python", "-I", "-c", ONE_ROUND, cwd=tmp_path) == "48 2 numba pandas\n"
    assert "usage" in run(scripts / "sakura", "--help", cwd=tmp_path)
