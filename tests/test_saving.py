"""Files on disks that fill up and lose their power, that change, and that somebody else writes to: `sakura.saving`, and
the folder of rounds that stands on it."""

import errno
import json
import os
import random
import shutil
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import sakura
from sakura import Match, Results, Round, parquet, saving
from sakura.parquet import RoundsFolder, alone
from sakura.run import Run
from strategies_for_tests import assert_same_rows, in_memory

SIMULATE = sys.modules["sakura.simulate"]
ROUNDS = 1000

pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs the permissions, links and signals of POSIX")


def simulate(rounds: int = ROUNDS, **options: Any) -> Any:
    return sakura.simulate(rounds, sakura.Rules(players=3), "greedy", 1, progress=False, **options)


def files_of(folder: Path) -> list[str]:
    """What there is in a folder, but for the lock."""
    return sorted(name for name in os.listdir(folder) if name != ".sakura.lock")


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SIMULATE, "CHUNK", 100)
    monkeypatch.setattr(parquet, "PART_ROUNDS", 200)


@pytest.fixture
def shared() -> Iterator[Path]:
    """A folder that everybody may write to, which pytest's own are not."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o777)
        yield Path(folder)


# ---- One file ----

SAVED: dict[str, Callable[[], Any]] = {
    "round": lambda: Round(seed=1),
    "match": lambda: Match(rounds=2, seed=1),
    "results": lambda: simulate(),
}


@pytest.fixture(params=SAVED.values(), ids=SAVED)
def saved(request: pytest.FixtureRequest) -> Any:
    """Something that can be saved."""
    return request.param()


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 64 kB."""
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk], capture_output=True).returncode:
        pytest.skip("only an administrator can mount a disk")
    yield disk
    subprocess.run(["umount", disk], check=True)


def test_a_full_disk_leaves_the_file_there_is(saved: Any, tiny_disk: Path) -> None:
    path = tiny_disk / "saved"
    path.write_text("an earlier one")
    with pytest.raises(OSError, match="No space left"), open(tiny_disk / "filling", "wb") as filling:
        while True:
            filling.write(bytes(1000))
            filling.flush()
    with pytest.raises(OSError, match=f"cannot write to {path}: No space left on device") as full:
        saved.save(path)
    assert full.value.errno == errno.ENOSPC
    assert path.read_text() == "an earlier one"
    assert sorted(os.listdir(tiny_disk)) == ["filling", "saved"]
    (tiny_disk / "filling").unlink()
    saved.save(path)
    assert type(saved).load(path)


def test_links_and_permissions_stay(saved: Any, tmp_path: Path) -> None:
    file, link = tmp_path / "elsewhere" / "file", tmp_path / "link"
    file.parent.mkdir()
    link.symlink_to(file)
    saved.save(link)
    for mode in (0o600, 0o664):
        file.chmod(mode)
        saved.save(link)
        assert stat.S_IMODE(file.stat().st_mode) == mode
    if os.getuid() == 0:
        os.chown(file, 12, 34)
        saved.save(link)
        assert (file.stat().st_uid, file.stat().st_gid) == (12, 34)
    assert link.is_symlink() and type(saved).load(link)
    assert os.listdir(file.parent) == ["file"]


def test_a_new_file_can_be_read_by_whom_the_system_says(saved: Any, tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        saved.save(tmp_path / "file")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == 0o640


def test_what_is_no_file_stays_what_it_is(saved: Any, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reading = os.open(pipe, os.O_RDWR)
    try:
        saved.save(pipe)
        assert os.read(reading, 1 << 16) and stat.S_ISFIFO(pipe.stat().st_mode)
    finally:
        os.close(reading)
    with pytest.raises(IsADirectoryError, match=f"cannot write to {tmp_path}"):
        saved.save(tmp_path)


def test_a_protected_file_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # an administrator may write to everything
    (tmp_path / "file").write_text("mine")
    with pytest.raises(PermissionError, match=f"cannot write to {tmp_path / 'file'}: Permission denied"):
        Round(seed=1).save(tmp_path / "file")
    assert (tmp_path / "file").read_text() == "mine"


def test_what_was_not_written_as_it_should_gets_no_name(
    saved: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a disk that loses a bit."""
    fsync = os.fsync

    def losing(descriptor: int) -> None:
        fsync(descriptor)
        for part in tmp_path.glob(".*.part"):
            with open(part, "r+b") as file:
                file.seek(part.stat().st_size // 2)
                file.write(b"\0")

    monkeypatch.setattr(os, "fsync", losing)
    with pytest.raises(OSError, match="what is read back is not what was written"):
        saved.save(tmp_path / "file")
    assert os.listdir(tmp_path) == []


class Disk:
    """Notes what a failing power would leave: of a file what was synced, and its name as soon as it has one."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.content: dict[int, bytes] = {}  # by inode
        self.names: dict[Path, int] = {}
        self.images: list[dict[str, bytes]] = []  # after each step
        for name in ("fsync", "link", "rename", "replace"):
            self._note(patch, name)

    def _note(self, patch: pytest.MonkeyPatch, name: str) -> None:
        does = getattr(os, name)

        def noted(*args: Any, **options: Any) -> Any:
            done = does(*args, **options)
            if name == "fsync":
                path = Path(os.readlink(f"/proc/self/fd/{args[0]}"))
                if path.is_dir():
                    self.names |= {file: file.stat().st_ino for file in path.glob("*.parquet")}
                else:
                    self.content[path.stat().st_ino] = path.read_bytes()
            elif Path(args[1]).suffix == ".parquet":
                # The worst of systems writes names at once, and the rest when it is asked.
                self.names[Path(args[1])] = Path(args[1]).stat().st_ino
            self.images.append({path.name: self.content.get(inode, b"") for path, inode in self.names.items()})
            return done

        patch.setattr(os, name, noted)


@pytest.mark.skipif(not os.path.exists("/proc/self/fd"), reason="needs Linux")
@pytest.mark.usefixtures("small")
def test_a_file_that_has_its_name_is_on_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whenever the power fails."""
    with monkeypatch.context() as patch:
        disk = Disk(patch)
        simulate(out=tmp_path / "rounds")
    assert len(disk.images) >= 15 and len(disk.images[-1]) == 5
    for image in disk.images:
        folder = tmp_path / "image"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for name, content in image.items():
            (folder / name).write_bytes(content)
        if image:
            assert_same_rows(simulate(200 * len(image)), in_memory(Results.scan(folder)))
    # The last step of each file is its folder's, so that its name is there as well.
    assert disk.images[-1] == {file.name: file.read_bytes() for file in (tmp_path / "rounds").glob("*.parquet")}


# ---- A folder after a power cut ----


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("seed", [*range(3), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(3, 23))])
def test_what_a_power_cut_left_is_played_again(seed: int, tmp_path: Path) -> None:
    """Files that are empty, cut off or full of zeros, and such that were not finished."""
    folder, chance = tmp_path / "rounds", random.Random(seed)
    simulate(out=folder)
    files = sorted(folder.glob("*.parquet"))
    whole = {file.name: file.read_bytes() for file in files}
    damaged = {}
    for file in chance.sample(files, 3):
        size = len(whole[file.name])
        damaged[file.name] = chance.choice(
            [b"", whole[file.name][: chance.randrange(size)], bytes(size), whole[file.name][:-1] + b"\0"]
        )
        file.write_bytes(damaged[file.name])
    (folder / saving.UNFINISHED.replace("*", "0123456789abcdef")).write_bytes(b"")
    with pytest.raises(ValueError, match=r"seed-1-rounds-\d+\.parquet is (empty|damaged)"):
        in_memory(Results.scan(folder))
    with pytest.warns(UserWarning, match=r"seed-1-rounds-\d+\.parquet is (empty|damaged).* played again") as told:
        scan = simulate(out=folder)
    assert sum("played again" in str(warning.message) for warning in told) == 3
    assert_same_rows(simulate(), in_memory(scan))
    assert {file.name: file.read_bytes() for file in folder.glob("*.parquet")} == whole
    # What was in them is still there.
    aside = {file.name.split(".parquet")[0] + ".parquet": file.read_bytes() for file in folder.glob("*.damaged")}
    assert aside == damaged and len(files_of(folder)) == 5 + 3


@pytest.mark.usefixtures("small")
def test_a_damaged_file_of_somebody_else_is_left_alone(tmp_path: Path) -> None:
    simulate(out=tmp_path)
    (tmp_path / "mine.parquet").write_bytes(b"")
    with pytest.raises(ValueError, match=r"mine\.parquet is empty"):
        simulate(out=tmp_path)
    assert (tmp_path / "mine.parquet").exists() and len(files_of(tmp_path)) == 6


@pytest.mark.usefixtures("small")
def test_rounds_that_have_changed_are_played_again(tmp_path: Path) -> None:
    """What is gone on with was read, not only its description."""
    simulate(out=tmp_path)
    file = sorted(tmp_path.glob("*.parquet"))[2]
    content = bytearray(file.read_bytes())
    content[1000] ^= 4
    file.write_bytes(content)
    assert len(Results.scan(tmp_path)) == 1000
    with pytest.warns(UserWarning, match=f"{file.name} is damaged"):
        scan = simulate(out=tmp_path)
    assert_same_rows(simulate(), in_memory(scan))


# ---- What others have in the folder ----


@pytest.mark.usefixtures("small")
def test_only_what_is_ours_is_touched(tmp_path: Path) -> None:
    folder, outside = tmp_path / "rounds", tmp_path / "outside"
    folder.mkdir()
    outside.write_text("not ours")
    mine = [folder / "mine.parquet.part", folder / "seed-1-from-0.part", folder / ".hidden.part"]
    for file in mine[:1] + mine[2:]:
        file.write_text("mine")
    mine[1].symlink_to(outside)
    simulate(out=folder)
    simulate().save(folder / "mine")
    assert outside.read_text() == "not ours"
    assert all(file.exists() for file in mine) and mine[1].is_symlink()


def test_a_name_that_is_taken_is_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By somebody who has guessed it."""
    monkeypatch.setattr("secrets.token_hex", lambda size: "guessed")
    outside, planted = tmp_path / "outside", tmp_path / saving.UNFINISHED.replace("*", "guessed")
    outside.write_text("not ours")
    planted.symlink_to(outside)
    with pytest.raises(FileExistsError, match="cannot write to"):
        Round(seed=1).save(tmp_path / "round")
    assert outside.read_text() == "not ours" and planted.is_symlink()


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("links", [True, False])
def test_two_without_locks_do_not_overwrite_each_other(
    links: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on a share that has none: what the other wrote meanwhile stays, and the same rounds are no error."""
    if not links:
        monkeypatch.setattr(os, "link", lambda *_: (_ for _ in ()).throw(PermissionError(errno.EPERM, "not permitted")))
    run = Run(1, sakura.Rules(players=3), ("greedy",) * 3)
    same, other = (RoundsFolder(tmp_path, run, range(1000)) for _ in range(2))
    simulate(200, out=tmp_path)
    (file,) = tmp_path.glob("*.parquet")
    before = file.read_bytes()
    rounds = simulate(200)
    with same:
        same.append(0, rounds.table)
    with (
        pytest.raises(OSError, match=f"cannot write to {tmp_path}: another process has written {file.name} meanwhile"),
        other,
    ):
        other.append(0, rounds.table.rows(0, 150))
    assert file.read_bytes() == before and files_of(tmp_path) == [file.name]


def as_other_user(does: Callable[[], int]) -> int:
    """What another user gets; -1 where somebody else is writing."""
    process = os.fork()
    if not process:
        code = 99
        try:
            os.setgroups([])
            os.setgid(12_345)
            os.setuid(12_345)
            code = does()
        except BlockingIOError:
            code = 77
        finally:
            os._exit(code)
    code = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    return -1 if code == 77 else code


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="needs an administrator")
@pytest.mark.parametrize("mode", [0o777, 0o1777])
@pytest.mark.parametrize("mask", [0o022, 0o077])
def test_a_second_user_may_add(mode: int, mask: int, shared: Path) -> None:
    """Somebody who may write to the folder, whose lock the other has made."""
    folder = shared / "rounds"
    folder.mkdir()
    folder.chmod(mode)
    before = os.umask(mask)
    try:
        simulate(10, out=folder)
        for file in folder.glob("*.parquet"):
            file.chmod(0o644)
        if mode == 0o777:
            with alone(folder):
                assert as_other_user(lambda: len(simulate(30, out=folder))) == -1
        assert as_other_user(lambda: len(simulate(30, out=folder))) == 30
    finally:
        os.umask(before)
    assert len(list(folder.glob("*.parquet"))) == 2


def test_a_folder_that_has_everything_is_only_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also by somebody who may not write to it."""
    simulate(100, out=tmp_path)

    def refuse(*_: object, **__: object) -> Any:
        raise PermissionError(errno.EACCES, "Permission denied")

    for name in ("tempfile.TemporaryFile", "filelock.FileLock", "os.link", "os.replace", "os.rename"):
        monkeypatch.setattr(name, refuse)
    assert len(simulate(50, out=tmp_path)) == 100
    with pytest.raises(OSError, match=f"cannot write to {tmp_path}: Permission denied"):
        simulate(200, out=tmp_path)


def test_the_lock_goes_with_its_process(tmp_path: Path) -> None:
    code = "import sys, os, sakura.parquet as p\nwith p.alone(sys.argv[1]):\n  print('locked', flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", code, tmp_path],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "TMPDIR": str(tmp_path)},
        text=True,
    ) as process:
        assert process.stdout is not None and process.stdout.readline() == "locked\n"
        with pytest.raises(BlockingIOError, match=f"cannot write to {tmp_path}: another process does"):
            simulate(10, out=tmp_path)
        process.kill()
    with alone(tmp_path):
        pass
    assert len(simulate(10, out=tmp_path)) == 10


@pytest.mark.slow
@pytest.mark.parametrize("locks", ["locks", "none"])
def test_two_writers_who_die_leave_whole_files(locks: str, shared: Path) -> None:
    pytest.importorskip("distributed")
    script = Path(__file__).with_name("writers_that_die.py")
    seed = time.time_ns()
    command = [sys.executable, script, shared / "rounds", locks, str(seed)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, (seed, done.stdout[-3000:], done.stderr[-3000:])
    writers = [json.loads(line) for line in done.stdout.splitlines()]
    errors = [writer for writer in writers if not writer["killed"] and writer["ended"] != "done"]
    assert all(f"Error: cannot write to {shared / 'rounds'}: another process" in e["ended"] for e in errors), errors
    assert len({error["trial"] for error in errors}) == len(errors), errors
