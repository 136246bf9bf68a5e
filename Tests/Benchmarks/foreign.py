"""Times a C function of (int64_t, double, const char *) called by ctypes and by cffi (ABI mode): foreign.py LIBRARY."""
import ctypes
import sys
import time

COUNT = 300_000


def measure(name, function):
    passes = []
    for _ in range(7):
        before = time.thread_time_ns()
        for _ in range(COUNT):
            function(3, 0.5, b"A")
        passes.append((time.thread_time_ns() - before) / COUNT)
    print(f"{name}\t{sorted(passes)[3]}")


def measure_loop():
    def nothing(number, factor, text):
        return None

    measure("Python: a call of a function in Python", nothing)


measure_loop()
mixed = ctypes.CDLL(sys.argv[1]).plain_mixed
mixed.argtypes = [ctypes.c_int64, ctypes.c_double, ctypes.c_char_p]
mixed.restype = ctypes.c_double
assert mixed(3, 0.5, b"A") == 66.5
measure("Python: ctypes", mixed)
try:
    import cffi
except ImportError:
    sys.exit()
ffi = cffi.FFI()
ffi.cdef("double plain_mixed(int64_t number, double factor, const char *text);")
library = ffi.dlopen(sys.argv[1])
assert library.plain_mixed(3, 0.5, b"A") == 66.5
measure("Python: cffi, ABI mode", library.plain_mixed)
