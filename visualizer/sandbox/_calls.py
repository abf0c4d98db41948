"""The system calls that a job may make whatever their arguments, and the numbers of all calls that the filter names.

Promises: the same policy on x86_64 and aarch64; each table from the kernel's own unistd headers. aarch64 has only the newer forms
(openat, no open). Calls whose arguments decide are in `_seccomp`.
"""

# Reading, memory, threads, time, signals to oneself: what Python, the jaxlib runtime and XLA's own code generator need.
PLAIN = [
    "read", "write", "close", "fstat", "lseek", "mprotect", "munmap", "brk", "rt_sigaction", "rt_sigprocmask", "rt_sigreturn",
    "rt_sigpending", "rt_sigtimedwait", "rt_sigsuspend", "pread64", "pwrite64", "readv", "writev", "sched_yield", "mremap",
    "madvise", "mincore", "dup", "nanosleep", "getpid", "exit", "uname", "getcwd", "gettimeofday", "getrlimit", "getrusage",
    "sysinfo", "times", "getuid", "getgid", "geteuid", "getegid", "getppid", "getpgid", "getsid", "getgroups", "getresuid",
    "getresgid", "getpriority", "sigaltstack", "gettid", "futex", "sched_getaffinity", "sched_getscheduler", "sched_getparam",
    "sched_get_priority_max", "sched_get_priority_min", "set_tid_address", "fadvise64", "clock_gettime", "clock_getres",
    "clock_nanosleep", "exit_group", "epoll_ctl", "mbind", "get_mempolicy", "newfstatat", "readlinkat", "faccessat", "pselect6",
    "ppoll", "set_robust_list", "epoll_pwait", "eventfd2", "epoll_create1", "dup3", "pipe2", "getcpu", "getrandom", "membarrier",
    "statx", "rseq", "faccessat2", "restart_syscall", "getdents64", "getitimer", "setitimer",
]  # fmt: skip
PLAIN_X86_64 = [
    "stat", "lstat", "access", "select", "dup2", "pipe", "poll", "readlink", "getpgrp", "arch_prctl", "time", "epoll_wait",
    "alarm", "pause",
]  # fmt: skip

X86_64 = {
    "read": 0, "write": 1, "open": 2, "close": 3, "stat": 4, "fstat": 5, "lstat": 6, "poll": 7, "lseek": 8, "mmap": 9,
    "mprotect": 10, "munmap": 11, "brk": 12, "rt_sigaction": 13, "rt_sigprocmask": 14, "rt_sigreturn": 15, "ioctl": 16,
    "pread64": 17, "pwrite64": 18, "readv": 19, "writev": 20, "access": 21, "pipe": 22, "select": 23, "sched_yield": 24,
    "mremap": 25, "mincore": 27, "madvise": 28, "dup": 32, "dup2": 33, "pause": 34, "nanosleep": 35, "getitimer": 36, "alarm": 37,
    "setitimer": 38, "getpid": 39, "clone": 56, "exit": 60, "uname": 63, "fcntl": 72, "getcwd": 79, "readlink": 89,
    "gettimeofday": 96, "getrlimit": 97, "getrusage": 98, "sysinfo": 99, "times": 100, "getuid": 102, "getgid": 104,
    "geteuid": 107, "getegid": 108, "getppid": 110, "getpgrp": 111, "getgroups": 115, "getresuid": 118, "getresgid": 120,
    "getpgid": 121, "getsid": 124, "rt_sigpending": 127, "rt_sigtimedwait": 128, "rt_sigsuspend": 130, "sigaltstack": 131,
    "getpriority": 140, "sched_getparam": 143, "sched_getscheduler": 145, "sched_get_priority_max": 146,
    "sched_get_priority_min": 147, "prctl": 157, "arch_prctl": 158, "gettid": 186, "time": 201, "futex": 202,
    "sched_getaffinity": 204, "getdents64": 217, "set_tid_address": 218, "restart_syscall": 219, "fadvise64": 221,
    "clock_gettime": 228, "clock_getres": 229, "clock_nanosleep": 230, "exit_group": 231, "epoll_wait": 232, "epoll_ctl": 233,
    "tgkill": 234, "mbind": 237, "get_mempolicy": 239, "openat": 257, "newfstatat": 262, "readlinkat": 267, "faccessat": 269,
    "pselect6": 270, "ppoll": 271, "set_robust_list": 273, "epoll_pwait": 281, "eventfd2": 290, "epoll_create1": 291, "dup3": 292,
    "pipe2": 293, "prlimit64": 302, "getcpu": 309, "getrandom": 318, "membarrier": 324, "statx": 332, "rseq": 334, "clone3": 435,
    "openat2": 437, "faccessat2": 439,
}  # fmt: skip

AARCH64 = {
    "getcwd": 17, "eventfd2": 19, "epoll_create1": 20, "epoll_ctl": 21, "epoll_pwait": 22, "dup": 23, "dup3": 24, "fcntl": 25,
    "ioctl": 29, "faccessat": 48, "openat": 56, "close": 57, "pipe2": 59, "getdents64": 61, "lseek": 62, "read": 63, "write": 64,
    "readv": 65, "writev": 66, "pread64": 67, "pwrite64": 68, "pselect6": 72, "ppoll": 73, "readlinkat": 78, "newfstatat": 79,
    "fstat": 80, "exit": 93, "exit_group": 94, "set_tid_address": 96, "futex": 98, "set_robust_list": 99, "nanosleep": 101,
    "getitimer": 102, "setitimer": 103, "clock_gettime": 113, "clock_getres": 114, "clock_nanosleep": 115,
    "sched_getscheduler": 120, "sched_getparam": 121, "sched_getaffinity": 123, "sched_yield": 124, "sched_get_priority_max": 125,
    "sched_get_priority_min": 126, "restart_syscall": 128, "tgkill": 131, "sigaltstack": 132, "rt_sigsuspend": 133,
    "rt_sigaction": 134, "rt_sigprocmask": 135, "rt_sigpending": 136, "rt_sigtimedwait": 137, "rt_sigreturn": 139,
    "getpriority": 141, "getresuid": 148, "getresgid": 150, "times": 153, "getpgid": 155, "getsid": 156, "getgroups": 158,
    "uname": 160, "getrlimit": 163, "getrusage": 165, "prctl": 167, "getcpu": 168, "gettimeofday": 169, "getpid": 172,
    "getppid": 173, "getuid": 174, "geteuid": 175, "getgid": 176, "getegid": 177, "gettid": 178, "sysinfo": 179, "brk": 214,
    "munmap": 215, "mremap": 216, "clone": 220, "mmap": 222, "fadvise64": 223, "mprotect": 226, "mincore": 232, "madvise": 233,
    "mbind": 235, "get_mempolicy": 236, "prlimit64": 261, "getrandom": 278, "membarrier": 283, "statx": 291, "rseq": 293,
    "clone3": 435, "openat2": 437, "faccessat2": 439,
}  # fmt: skip

# The last call that the tables know of; newer ones answer "no such call", so that the C library takes its older way.
NEWEST_KNOWN = 439


def table(machine: str) -> dict[str, int]:
    """Call numbers by name for a machine (`platform.machine()`); KeyError for one that is not known."""
    return {"x86_64": X86_64, "aarch64": AARCH64}[machine]


def plain(machine: str) -> list[int]:
    """The numbers of the calls that are allowed whatever their arguments."""
    numbers = table(machine)
    names = PLAIN + PLAIN_X86_64 if machine == "x86_64" else PLAIN
    return sorted(numbers[name] for name in names)
