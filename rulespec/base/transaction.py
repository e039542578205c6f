"""Writes sets of files: a set is written whole or not at all, even if the process is killed or the disk is full.

What happens to a set, in this order; `recover` settles what a kill leaves, before a file near it is read or written:

1. `.ftk-journal` is made in a folder that holds all files of the set, and locked. It lists them, with digests.
2. Beside each file its new content is put on the disk, as `.ftk-ID.new`, and its old one, as the link `.ftk-ID.old`.
3. The journal gets the line `committed`. A set that was ended before is undone, one that was ended after is finished.
4. Each new content replaces its file, unless another program has saved the file since it was read: that undoes the set.
5. The links and the journal are deleted.

A set of one file does not need the line: to replace it is a single step.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import logging
import os
import signal
import stat
import sys
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from rulespec.base.failure import Refusal
from rulespec.base.messages import chained, counted, reason, say, sentences
from rulespec.base.project import FOLDER, shown

__all__ = ["Refusal", "digest_at", "lock", "recover", "write"]

JOURNAL = ".ftk-journal"
WAIT = 10.0
"""Seconds to wait for another process that writes in the same folder."""

_FORMAT = 1
_COMMITTED, _UNDONE = b"committed\n", b"undone\n"
_AGAIN = 1.0
"""Seconds after which a folder is looked at again for a journal."""
_LOOKED: dict[str, float] = {}
"""When folders were looked at for journals."""

_OPEN = sum(getattr(os, flag, 0) for flag in ("O_CLOEXEC", "O_NOFOLLOW", "O_BINARY", "O_NONBLOCK"))
_LOG = logging.getLogger(__name__)


class Saved(Refusal):
    """Raised for a file that is no more what was read: another program has saved it. No file was changed."""

    def __init__(self, path: str) -> None:
        message = say("Another program has saved {path} since it was read. No file was changed.", path=path)
        super().__init__(message, say("Run the command again."))


def digest_at(path: str | Path) -> str | None:
    """The digest of a file, None if there is none. Raises OSError for what is no regular file."""
    try:
        mode = os.stat(path).st_mode
        if not stat.S_ISREG(mode):  # opening a pipe waits for a writer, and a device may have no end
            number, reason = (errno.EISDIR, "a folder") if stat.S_ISDIR(mode) else (errno.EINVAL, "no ordinary file")
            raise OSError(number, f"it is {reason}", str(path))
        with open(path, "rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except FileNotFoundError:
        return None


def write(contents: Mapping[str, bytes | None], read: Mapping[str, Collection[str | None]], command: str = "") -> None:
    """Writes files as one set; None deletes a file. `command` names the set in messages.

    `read` has the digests with which files were read, None for one that was not there: a file that has another digest
    now is not overwritten. One that `read` does not name may be. Raises Refusal, and OSError with the name of a file:
    no file was changed then.
    """
    names = {Path(os.path.realpath(name)): name for name in contents}
    for path in names:
        recover(path)
    with ExitStack() as stack, _as_named(names):
        places = _places(names)
        journals = {folder: stack.enter_context(_locked(folder)) for folder in sorted({*map(_home, names), *places})}
        sets = []
        for folder, paths in places.items():
            files = [_File.of(path, contents[names[path]], f".ftk-{os.urandom(6).hex()}") for path in paths]
            changed = [one for one in files if one.before != one.after]
            for one in changed:
                if any(digest != one.before for digest in read.get(names[one.path], ())):
                    raise Saved(names[one.path])
            if changed:
                sets.append(_Set(journals[folder], folder, command, changed, _missing(changed)))
        several = sum(len(one.files) for one in sets) > 1
        stack.enter_context(_undisturbed())
        try:
            for each in sets:
                each.stage({path: contents[name] for path, name in names.items()})
            for each in sets:
                each.commit(several)
            for each in sets:
                each.replace(names)
        except BaseException as error:
            for each in sets:
                each.settle(undo=isinstance(error, Exception))  # what is interrupted is finished
            raise
        for each in sets:
            each.settle()


def recover(path: str | os.PathLike[str], at_once: bool = False) -> None:
    """Finishes or undoes the sets of files that a killed command left in the folders above a path, with a warning in
    the log. Waits for a set that is being written. Looks at a folder once in a second, unless it is to look `at_once`.
    """
    folder = os.path.dirname(os.path.abspath(path))
    now = time.monotonic()
    if not at_once and now - _LOOKED.get(folder, -_AGAIN) < _AGAIN:
        return
    _LOOKED[folder] = now
    real = Path(os.path.realpath(folder))
    for place in (real, *real.parents):
        if os.path.lexists(place / JOURNAL):
            try:
                with _locked(place, make=False):
                    pass
            except FileNotFoundError:
                continue
            except (OSError, Refusal) as error:
                _LOG.warning(sentences(reason(error), getattr(error, "hint", "")))


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Signals that end the process wait until the context ends, where the system can."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _as_named(names: Mapping[Path, str]) -> Iterator[None]:
    """Raises errors of the system with the name that their file was given; with the first one for another file."""
    try:
        yield
    except OSError as error:
        name = names.get(Path(error.filename or ""), next(iter(names.values())))
        raise OSError(error.errno, error.strerror or str(error), name) from None


# --- sets -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _File:
    """A file of a set: its digests before and after, None for no file, and how the names of its contents begin."""

    path: Path
    before: str | None
    after: str | None
    stem: str

    @classmethod
    def of(cls, path: Path, content: bytes | None, stem: str) -> _File:
        return cls(path, digest_at(path), None if content is None else hashlib.sha256(content).hexdigest(), stem)

    @property
    def new(self) -> Path:
        return self.path.with_name(f"{self.stem}.new")

    @property
    def old(self) -> Path:
        return self.path.with_name(f"{self.stem}.old")

    @property
    def now(self) -> str | None:
        """Its digest now; "" for what is no file or cannot be read."""
        try:
            return digest_at(self.path)
        except OSError:
            return ""

    @property
    def can_be_finished(self) -> bool:
        """Whether it has its new content, or had it before another program changed it, or can get it."""
        if self.is_saved:
            return False
        if self.after is None:
            return self.now in (None, self.before)
        if self.now == self.before:
            return digest_at(self.new) == self.after
        return self.now == self.after or not self.new.exists()

    @property
    def is_saved(self) -> bool:
        """Whether another program saved it, into the same file, in the moment before it was replaced."""
        return self.old.exists() and digest_at(self.old) != self.before

    def stage(self, content: bytes | None) -> None:
        """Puts its new content on the disk, and a link to its old one."""
        is_new = self.before is None
        if not is_new and not os.access(self.path, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(self.path))
        if content is not None:
            number = os.open(self.new, _OPEN | os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666 if is_new else 0o600)
            with open(number, "wb") as stream:
                stream.write(content)
                stream.flush()
                os.fsync(number)
            if not is_new:
                os.chmod(self.new, stat.S_IMODE(self.path.stat().st_mode))
        if not is_new:
            try:
                os.link(self.path, self.old)
            except OSError:  # a file system without links
                self.old.write_bytes(self.path.read_bytes())

    def replace(self) -> None:
        if self.after is None:
            self.path.unlink()
        else:
            os.replace(self.new, self.path)

    def restore(self) -> None:
        if self.before is None:
            self.path.unlink()
        elif self.old.exists():
            os.replace(self.old, self.path)

    def clean(self) -> None:
        self.new.unlink(missing_ok=True)
        self.old.unlink(missing_ok=True)


@dataclass(frozen=True)
class _Set:
    """Files, the journal that lists them, and the folder of the journal. `made` are folders that are new."""

    journal: _Journal
    folder: Path
    command: str
    files: Sequence[_File]
    made: Sequence[Path]

    @classmethod
    def left(cls, journal: _Journal, folder: Path) -> _Set | None:
        """The set that a killed command left; None if it had not begun, or is none of ours."""
        try:
            head = json.loads(journal.lines()[0])
            files = [_File(folder / one["path"], one["before"], one["after"], one["stem"]) for one in head["files"]]
            made = [folder / one for one in head["made"]]
            places = (*made, *(place for one in files for place in (one.path, one.new, one.old)))
            is_ours = head["journal"] == _FORMAT and all(_is_inside(place, folder) for place in places)
            return cls(journal, folder, str(head["command"]), files, made) if is_ours else None
        except (LookupError, RecursionError, TypeError, ValueError):
            return None

    def stage(self, contents: Mapping[Path, bytes | None]) -> None:
        """Puts the new contents and the old ones beside the files."""
        files = [{**vars(one), "path": one.path.relative_to(self.folder).as_posix()} for one in self.files]
        made = [one.relative_to(self.folder).as_posix() for one in self.made]
        head = {"journal": _FORMAT, "command": self.command, "files": files, "made": made}
        self.journal.add(json.dumps(head).encode() + b"\n")
        for folder in self.made:
            folder.mkdir(exist_ok=True)
        for one in self.files:
            one.stage(contents[one.path])

    def commit(self, several: bool) -> None:
        """From here on the set is finished, not undone. A single file is replaced in one step."""
        if several:
            self._sync()
            self.journal.add(_COMMITTED)

    def replace(self, names: Mapping[Path, str]) -> None:
        for one in self.files:
            if one.now != one.before:
                raise Saved(names[one.path])
            one.replace()
            if one.is_saved:
                raise Saved(names[one.path])

    def settle(self, undo: bool = False) -> str:
        """Finishes the set if it is committed, unless it is to be undone or cannot be finished; undoes it otherwise.
        Returns a sentence about it, "" for a single file."""
        lines = self.journal.lines()
        is_committed = _COMMITTED in lines
        is_finished = is_committed and not undo and _UNDONE not in lines
        is_finished = is_finished and all(one.can_be_finished for one in self.files)
        if is_committed and not is_finished:
            self.journal.add(_UNDONE)
        saved = [one for one in self.files if one.now not in (one.before, one.after)]
        for one in self.files if is_committed or undo else ():
            if is_finished and one.now == one.before:
                one.replace()
            elif not is_finished and one.now == one.after:
                one.restore()
        self._sync()
        for one in self.files:
            one.clean()
        for folder in () if is_finished else reversed(self.made):
            with contextlib.suppress(OSError):
                folder.rmdir()
        self.journal.is_needed = False
        if len(self.files) < 2:
            return ""
        was = counted(
            "`ftk {command}` was interrupted while it wrote {number} file in {folder}.",
            "`ftk {command}` was interrupted while it wrote {number} files in {folder}.",
            len(self.files),
            command=self.command,
            folder=shown(str(self.folder)),
        )
        done = say("All of them are written now") if is_finished else say("None of them is changed")
        kept = [say(_SAVED_SINCE, path=shown(str(one.path))) for one in saved]
        return sentences(was, chained(say("{first}, {second}"), [done, *kept]))

    def _sync(self) -> None:
        """Puts the names of files on the disk, where the system can."""
        for folder in sorted({one.path.parent for one in self.files}) if len(self.files) > 1 else ():
            with contextlib.suppress(OSError):
                number = os.open(folder, os.O_RDONLY)
                try:
                    os.fsync(number)
                finally:
                    os.close(number)


_SAVED_SINCE = say("but {path}, which has been saved since, stays as it is")


def _missing(files: Iterable[_File]) -> list[Path]:
    """The folders that must be made for files, outer ones first."""
    return sorted({folder for one in files for folder in one.path.parents if not folder.exists()})


def _is_inside(path: Path, folder: Path) -> bool:
    """Whether a path of a journal is below its folder: a journal that comes along with files of strangers changes
    nothing elsewhere, and no hooks of git."""
    is_below = Path(os.path.realpath(path.parent)).is_relative_to(folder) and ".." not in path.parts
    return is_below and path != folder and ".git" not in path.relative_to(folder).parts


# --- journals ---------------------------------------------------------------------------------------------------------


def _home(path: Path) -> Path:
    """The folder whose lock guards a file: the outermost `specs` above it that can be written to, else its own folder,
    or the nearest one above that is there."""
    folders = [folder for folder in path.parents if folder.is_dir()]
    projects = (one for one in reversed(folders) if one.name == FOLDER and os.access(one, os.W_OK))
    return next(projects, folders[0])


def _places(paths: Iterable[Path]) -> dict[Path, list[Path]]:
    """The paths by the folder of their journal, which holds them all if it can be written to.

    Files that have only a folder in common that cannot be written to, such as those of two disks, are several sets.
    """
    homes = {path: _home(path) for path in paths}
    if not homes:
        return {}
    if len(anchors := {home.anchor for home in homes.values()}) > 1:
        groups = [[path for path in homes if path.anchor == anchor] for anchor in sorted(anchors)]
    else:
        common = Path(os.path.commonpath(homes.values()))
        if len({*homes.values()}) == 1 or os.access(common, os.W_OK):
            return {common: list(homes)}
        depth = len(common.parts) + 1
        starts = sorted({home.parts[:depth] for home in homes.values()})
        groups = [[path for path, home in homes.items() if home.parts[:depth] == start] for start in starts]
    return {folder: found for group in groups for folder, found in _places(group).items()}


@dataclass
class _Journal:
    """An open and locked journal. It is deleted in the end, unless it is still needed. In a folder where others may
    write and have one it has no number, and is kept in memory alone."""

    path: Path
    number: int | None = None
    is_needed: bool = False
    content: bytes = b""

    def lines(self) -> list[bytes]:
        """Its lines that are complete."""
        if self.number is not None:
            os.lseek(self.number, 0, os.SEEK_SET)
            with open(self.number, "rb", closefd=False) as stream:
                self.content = stream.read()
        return [line for line in self.content.splitlines(keepends=True) if line.endswith(b"\n")]

    def add(self, line: bytes) -> None:
        self.content += line
        if self.number is not None:
            self.is_needed = True
            os.lseek(self.number, 0, os.SEEK_END)
            with open(self.number, "wb", closefd=False) as stream:
                stream.write(line)
                stream.flush()
                if line in (_COMMITTED, _UNDONE):
                    os.fsync(self.number)

    def close(self) -> None:
        if self.number is None:
            return
        with contextlib.suppress(OSError):
            if not self.is_needed and sys.platform != "win32":
                self.path.unlink()  # while it is locked: who waits for it opens the next one
        os.close(self.number)
        with contextlib.suppress(OSError):
            if not self.is_needed and sys.platform == "win32":
                self.path.unlink()  # refused while another process has it open


@contextmanager
def _locked(folder: Path, make: bool = True) -> Iterator[_Journal]:
    """The locked journal of a folder, after a set that was left in it has been settled. Raises Refusal and OSError."""
    until = time.monotonic() + WAIT
    while (journal := _opened(folder / JOURNAL, make)) is None or journal.lines() or journal.content:
        if journal is not None:
            _settle(journal, folder)
        elif time.monotonic() > until:
            raise Refusal(
                say("Another ftk command is writing in {folder}.", folder=shown(str(folder))),
                say("Try again when it has ended."),
            )
        else:
            time.sleep(0.02)
    try:
        yield journal
    finally:
        journal.close()


def _settle(journal: _Journal, folder: Path) -> None:
    """Settles the set that a killed command left in a journal, which is closed. Raises Refusal."""
    left = _Set.left(journal, folder)
    try:
        said = left.settle() if left is not None else ""
        journal.path.unlink()
    except OSError as error:
        journal.is_needed = True
        message = say(
            "`ftk {command}` was interrupted while it wrote files in {folder}.",
            command=left.command if left else "",
            folder=shown(str(folder)),
        )
        hint = say(
            "It cannot be finished ({reason}): run any ftk command there that may change files.",
            reason=error.strerror,
        )
        raise Refusal(message, hint) from None
    finally:
        journal.close()
    if said:
        _LOG.warning(said)
    for home in {_home(one.path) for one in left.files} if left is not None else ():
        recover(home / JOURNAL, at_once=True)  # these were locked as well


def _opened(path: Path, make: bool) -> _Journal | None:
    """The journal at a path, locked; None if another process has it. Raises OSError."""
    try:
        number = os.open(path, _OPEN | os.O_RDWR | (os.O_CREAT if make else 0), 0o666)
    except OSError as error:
        if error.errno not in (errno.EACCES, errno.EPERM, errno.EROFS) or not os.path.lexists(path):
            raise
        number = os.open(path, _OPEN | os.O_RDONLY)
    found = os.fstat(number)
    is_own = not hasattr(os, "getuid") or found.st_uid == os.getuid()
    if not stat.S_ISREG(found.st_mode) or not (is_own or not path.parent.stat().st_mode & stat.S_IWOTH):
        os.close(number)
        return _Journal(path)
    try:
        lock(number)
        if os.path.samestat(found, os.stat(path)):
            return _Journal(path, number)
    except (BlockingIOError, FileNotFoundError):
        pass
    os.close(number)  # another process has it, or has just deleted it
    return None


def lock(number: int) -> None:
    """Locks an open file. Raises BlockingIOError if another process has. The system unlocks those of a killed one."""
    if sys.platform == "win32":
        import msvcrt

        os.lseek(number, 2**30, os.SEEK_SET)  # behind what others read
        try:
            msvcrt.locking(number, msvcrt.LK_NBLCK, 1)
        except OSError:
            raise BlockingIOError from None
        return
    try:
        import fcntl
    except ImportError:  # Python in a browser is alone with its files
        return
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise
    except OSError:
        return  # a file system without locks: what was read is held against what is there all the same
