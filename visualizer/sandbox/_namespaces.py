"""Namespaces: the zygote leaves the machine's network, its IPC and, where it may, its file tree, before anything is loaded.

Promises: says which namespaces it got; one that is not allowed here (most containers) is left out, because Landlock and seccomp
hold without it. Children inherit them, so a job pays nothing. Must never: leave the machine's own mounts changed.
"""

import os
from collections.abc import Iterable
from pathlib import Path

from . import _kernel

_MS_RDONLY, _MS_NOSUID, _MS_NODEV, _MS_NOEXEC = 1, 2, 4, 8
_MS_REMOUNT, _MS_BIND, _MS_REC, _MS_PRIVATE = 32, 4096, 16384, 1 << 18
_LOCKED_BY_OWNER = _MS_NOSUID | _MS_NODEV | _MS_NOEXEC | 1024 | 2048 | (1 << 21)
# Where the new tree is built. It must exist on every machine; it is hidden only for this process and its children.
_STAGE = "/tmp"  # noqa: S108


def enter() -> tuple[str, ...]:
    """Leave the shared namespaces; the names of those that this process now has for itself."""
    got: list[str] = []
    if os.geteuid() != 0:
        uid, gid = os.geteuid(), os.getegid()
        if not _try(_kernel.CLONE_NEWUSER):
            return ()
        got.append("user")
        _identity_map(uid, gid)
    kinds = (("net", _kernel.CLONE_NEWNET), ("ipc", _kernel.CLONE_NEWIPC), ("uts", _kernel.CLONE_NEWUTS))
    return (*got, *(name for name, flag in kinds if _try(flag)))


def own_user() -> bool:
    """Give a job a user namespace of its own, so that its threads are counted by themselves; False where that is not allowed."""
    return _try(_kernel.CLONE_NEWUSER)


def own_tree(roots: Iterable[Path]) -> bool:
    """Replace the file tree by an empty one that holds only `roots`, read-only; False where that is not allowed."""
    if not _try(_kernel.CLONE_NEWNS):
        return False
    try:
        _kernel.mount("none", "/", None, _MS_REC | _MS_PRIVATE)
        _build(Path(_STAGE), list(roots))
    except OSError:
        return False
    return True


def tree_is_possible(roots: Iterable[Path]) -> bool:
    """Whether `own_tree` works here, tried in a child: half a new tree would be worse than none."""
    paths = list(roots)
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            code = 0 if own_tree(paths) and all(path.exists() for path in paths) else 1
        finally:
            os._exit(code)
    _, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status) == 0


def _build(stage: Path, roots: list[Path]) -> None:
    # The roots are opened first, because the stage may hide one of them.
    held = {root: os.open(root, os.O_PATH | os.O_CLOEXEC) for root in roots}
    flags = {root: os.fstatvfs(held[root]).f_flag & _LOCKED_BY_OWNER for root in roots}
    _kernel.mount("none", str(stage), "tmpfs", _MS_NOSUID | _MS_NODEV, "mode=0755,size=1m")
    new, old = stage / "new", stage / "old"
    for folder in (new, old):
        folder.mkdir(mode=0o755)
    _kernel.mount(str(new), str(new), None, _MS_BIND)
    for root in roots:
        target = new / root.relative_to("/")
        _make_mountpoint(target, root.is_dir())
        _kernel.mount(f"/proc/self/fd/{held[root]}", str(target), None, _MS_BIND | _MS_REC)
        locked = flags[root] | _MS_NOSUID
        _kernel.mount("none", str(target), None, _MS_REMOUNT | _MS_BIND | _MS_RDONLY | locked)
        os.close(held[root])
    for link in ("/lib", "/lib64", "/bin"):
        if Path(link).is_symlink() and not (new / link[1:]).exists():
            (new / link[1:]).symlink_to(Path(link).readlink())
    put_old = new / ".old"
    put_old.mkdir(mode=0o700)
    _kernel.pivot_root(str(new), str(put_old))
    os.chdir("/")
    _kernel.unmount("/.old")
    Path("/.old").rmdir()
    _kernel.mount("none", "/", None, _MS_REMOUNT | _MS_BIND | _MS_RDONLY | _MS_NOSUID | _MS_NODEV)


def _make_mountpoint(target: Path, is_folder: bool) -> None:
    if is_folder:
        target.mkdir(mode=0o755, parents=True, exist_ok=True)
        return
    target.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
    target.touch(mode=0o644)


def _identity_map(uid: int, gid: int) -> None:
    """Keep our own ids inside the new user namespace: files stay readable, and jobs may open user namespaces of their own."""
    Path("/proc/self/setgroups").write_text("deny")
    Path("/proc/self/uid_map").write_text(f"{uid} {uid} 1")
    Path("/proc/self/gid_map").write_text(f"{gid} {gid} 1")


def _try(flag: int) -> bool:
    try:
        _kernel.unshare(flag)
    except OSError:
        return False
    return True
