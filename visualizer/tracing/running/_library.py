"""Python's own library, made whole again after a paste that replaced parts of it.

Promises: after `restore_library` the functions, classes, submodules, constants and tables of the modules that we and JAX's tracing stand
on are what they were when this module was loaded.
Must never: touch what changes by right: streams, hooks, threads, what is in a table.
"""

from __future__ import annotations

import ast
import collections
import contextlib
import copy
import dataclasses
import enum
import functools
import gc
import inspect
import io
import itertools
import json
import linecache
import operator
import os
import re
import sys
import threading
import time
import traceback
import types
import typing
import weakref
from typing import Any

import numpy as np

_MODULES = (ast, collections, contextlib, copy, dataclasses, enum, functools, gc, inspect, io, itertools, json, linecache, operator, os, re)
_JAXS = (np, time, traceback, types, typing, weakref)
# What these hold beside their code changes by right: hooks, paths, streams, threads.
_LIVING = (sys, threading)
_HOOKS = frozenset({"excepthook", "displayhook", "breakpointhook", "unraisablehook", "stdout", "stderr", "stdin"})
_CONSTANTS = (types.ModuleType, int, str, tuple, frozenset)
_TABLES = (dict, list, set)


def _part_of(module: types.ModuleType, kinds: tuple[type, ...]) -> dict[str, Any]:
    return {name: value for name, value in vars(module).items() if name not in _HOOKS and (callable(value) or isinstance(value, kinds))}


_WHOLE = [
    *((vars(module), _part_of(module, (*_CONSTANTS, *_TABLES))) for module in (*_MODULES, *_JAXS)),
    *((vars(module), _part_of(module, _CONSTANTS)) for module in _LIVING),
]


def restore_library() -> None:
    """Give back every function, class, submodule, constant and table that was replaced or deleted; what is in a table stays."""
    for names, whole in _WHOLE:
        names.update(whole)
