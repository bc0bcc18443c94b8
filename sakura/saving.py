"""Files that are whole at every moment: what is written is on the disk, and was read back, before it gets its name."""

import errno
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from .checks import cut

# What a process that is killed leaves behind: hidden, and named like nothing else.
UNFINISHED = ".sakura-*.part"

_PIECE = 1 << 20


def replace_file(path: str | os.PathLike[str], content: bytes | bytearray) -> None:
    """Write a file. An earlier one stays as it was until the new one takes its place, in one step.

    Links stay, and so do permissions. Raises OSError, naming the path, where it cannot be written.
    """
    try:
        _replace(Path(path), content)
    except OSError as error:
        raise OSError(error.errno, f"cannot write to {cut(str(path), 250)}: {error.strerror or error}") from None


def _replace(path: Path, content: bytes | bytearray) -> None:
    try:
        earlier = path.stat()
    except FileNotFoundError:
        earlier = None
    if earlier is not None and not stat.S_ISREG(earlier.st_mode):
        # A pipe or a device, which must stay one; a folder refuses.
        path.write_bytes(content)
        return
    if earlier is not None and not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    target = path.resolve()
    with _written_beside(target, content, earlier) as part:
        part.replace(target)


def add_file(path: Path, content: bytes | bytearray) -> None:
    """Write a new file. Raises FileExistsError where another is called so, unless it has the same content."""
    with _written_beside(path, content) as part:
        try:
            _name(part, path)
        except FileExistsError:
            if not _holds(path, content):
                raise


def _name(part: Path, path: Path) -> None:
    """Raises FileExistsError rather than replace a file."""
    try:
        os.link(part, path)
    except FileExistsError:
        raise
    except OSError:
        # A file system without links. Somebody may take the name between these two lines.
        if path.exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST)) from None
        part.rename(path)


@contextmanager
def _written_beside(target: Path, content: bytes | bytearray, like: os.stat_result | None = None) -> Iterator[Path]:
    """A file of this content in the same folder, to be given its name. It is gone afterwards if it got none.

    like: the file whose owner and permissions it gets, as far as that is allowed.
    """
    part = target.with_name(UNFINISHED.replace("*", secrets.token_hex(8)))
    # Refuses where there is something already, also a link to elsewhere. What it did not make it must not remove.
    file = open(part, "xb")  # noqa: SIM115
    try:
        with file:
            if like is not None:
                _make_alike(part, like)
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if not _holds(part, content):
            raise OSError(errno.EIO, "what is read back is not what was written")
        yield part
        sync_folder(target.parent)
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def _make_alike(part: Path, like: os.stat_result) -> None:
    for owner in ((-1, like.st_gid), (like.st_uid, -1)):
        with suppress(OSError, AttributeError):  # Windows knows none
            os.chown(part, *owner)
    part.chmod(stat.S_IMODE(like.st_mode))


def _holds(path: Path, content: bytes | bytearray) -> bool:
    """Whether a file has exactly this content."""
    wanted = memoryview(content)
    with open(path, "rb") as file:
        pieces = range(0, len(wanted), _PIECE)
        return all(file.read(_PIECE) == wanted[at : at + _PIECE].tobytes() for at in pieces) and not file.read(1)


def sync_folder(folder: Path) -> None:
    """Let the names in a folder outlast a power cut, where the system leaves that to us and can do it."""
    if os.name == "nt":
        return
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
