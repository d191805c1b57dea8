"""Typed door to numba: compiled functions, and two machine instructions that Python lacks.

With ``NUMBA_DISABLE_JIT=1`` the kernels run as plain Python. Compiled code is kept between runs
where numba finds a folder to write to: ``NUMBA_CACHE_DIR``, beside the package, or under HOME.
Where it finds none, every process compiles for itself.
"""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]  # publishes no types
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

Function = TypeVar("Function", bound=Callable[..., Any])

JIT = not cast("Any", numba.config).DISABLE_JIT
_njit = cast("Any", numba.njit)
# The kernels create no arrays: without reference counts they run four times as fast. Inlining saves
# the passing of arrays, an eighth of the time. Wrappers for callers from C, or of helpers from
# Python, would double the time to compile.
_OPTIONS = {"_nrt": False, "no_cfunc_wrapper": True, "error_model": "numpy"}


def jit(function: Function) -> Function:
    """Compile a helper that ends up inside an entry point."""
    helper = {"no_cpython_wrapper": True, "forceinline": True}
    return cast("Function", _njit(**helper, **_OPTIONS)(function))


def entry(function: Function) -> Function:
    """Compile a function that Python calls; keep the code for later processes if possible."""
    try:
        return cast("Function", _njit(cache=True, **_OPTIONS)(function))
    except RuntimeError:  # numba found no folder that it may write to
        return cast("Function", _njit(**_OPTIONS)(function))


def _prefetch(array: Any, index: Any) -> None:
    """Ask for the cache line of an element that will be written soon."""


def _lowest_bit(word: np.uint64) -> int:
    """Position of the lowest bit that is set."""
    return (int(word) & -int(word)).bit_length() - 1


def _high_product(a: np.uint64, b: np.uint64) -> np.uint64:
    """Upper 64 of the 128 bits of a product."""
    return np.uint64(int(a) * int(b) >> 64)


def _compile_prefetch(context: Any, array: Any, index: Any) -> Any:  # noqa: ARG001 - numba's form
    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        address = builder.gep(data, [arguments[1]])
        byte = ir.IntType(8).as_pointer()
        kind = ir.FunctionType(ir.VoidType(), [byte, *[ir.IntType(32)] * 3])
        name = "llvm.prefetch.p0"
        call = cast("Any", cgutils).get_or_insert_function(builder.module, kind, name)
        flags = [ir.Constant(ir.IntType(32), flag) for flag in (1, 3, 1)]  # write, keep, data
        builder.call(call, [builder.bitcast(address, byte), *flags])
        return context.get_dummy_value()

    return types.void(array, types.intp), code


def _compile_lowest_bit(context: Any, word: Any) -> Any:  # noqa: ARG001 - numba's form
    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001 - as above
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), code


def _compile_high_product(context: Any, a: Any, b: Any) -> Any:  # noqa: ARG001 - numba's form
    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001 - as above
        wide = [builder.zext(argument, ir.IntType(128)) for argument in arguments]
        high = builder.lshr(builder.mul(*wide), ir.Constant(ir.IntType(128), 64))
        return builder.trunc(high, ir.IntType(64))

    return types.uint64(types.uint64, types.uint64), code


if JIT:
    prefetch = cast("Callable[[Any, Any], None]", intrinsic(_compile_prefetch))
    lowest_bit = cast("Callable[[np.uint64], int]", intrinsic(_compile_lowest_bit))
    high_product = cast("Callable[[Any, Any], np.uint64]", intrinsic(_compile_high_product))
else:
    high_product = _high_product
    prefetch = _prefetch
    lowest_bit = _lowest_bit
