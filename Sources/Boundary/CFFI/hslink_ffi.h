/*
 * hslink_ffi.h - wraps libffi for Swift, which imports neither its types (global variables) nor its functions that
 * take untyped function pointers in a usable form.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HSLINK_FFI_H
#define HSLINK_FFI_H

#include <errno.h>
#include <ffi.h>
#include <stddef.h>
#include <string.h>

/* The libffi type for an FFI_TYPE_* number; NULL for structs and unknown numbers. */
static inline ffi_type *_Nullable hslink_ffi_type(int number) {
    switch (number) {
    case FFI_TYPE_VOID: return &ffi_type_void;
    case FFI_TYPE_FLOAT: return &ffi_type_float;
    case FFI_TYPE_DOUBLE: return &ffi_type_double;
    case FFI_TYPE_LONGDOUBLE: return &ffi_type_longdouble;
    case FFI_TYPE_UINT8: return &ffi_type_uint8;
    case FFI_TYPE_SINT8: return &ffi_type_sint8;
    case FFI_TYPE_UINT16: return &ffi_type_uint16;
    case FFI_TYPE_SINT16: return &ffi_type_sint16;
    case FFI_TYPE_UINT32: return &ffi_type_uint32;
    case FFI_TYPE_SINT32: return &ffi_type_sint32;
    case FFI_TYPE_UINT64: return &ffi_type_uint64;
    case FFI_TYPE_SINT64: return &ffi_type_sint64;
    case FFI_TYPE_POINTER: return &ffi_type_pointer;
    default: return NULL;
    }
}

/* Returns an ffi_status; FFI_OK is 0. */
static inline int hslink_ffi_prepare(ffi_cif *_Nonnull cif, unsigned fixed, unsigned count, int is_variadic,
                                     ffi_type *_Nonnull result, ffi_type *_Nullable *_Nonnull types) {
    return is_variadic ? (int)ffi_prep_cif_var(cif, FFI_DEFAULT_ABI, fixed, count, result, types)
                       : (int)ffi_prep_cif(cif, FFI_DEFAULT_ABI, count, result, types);
}

static inline void hslink_ffi_call(ffi_cif *_Nonnull cif, const void *_Nonnull function, void *_Nonnull result,
                                   void *_Nullable *_Nonnull arguments) {
    ffi_call(cif, (void (*)(void))(size_t)function, result, arguments);
}

/* The same, but sets errno to 0 first and returns errno right after the call, before anything else can change it. */
static inline int hslink_ffi_call_errno(ffi_cif *_Nonnull cif, const void *_Nonnull function, void *_Nonnull result,
                                        void *_Nullable *_Nonnull arguments) {
    errno = 0;
    ffi_call(cif, (void (*)(void))(size_t)function, result, arguments);
    return errno;
}

typedef void (*hslink_ffi_handler)(ffi_cif *_Nonnull cif, void *_Nullable result,
                                   void *_Nullable *_Nullable arguments, void *_Nullable context);

/* Makes a function pointer that calls `handler` with `context`; free it with ffi_closure_free(*closure). NULL if memory
 * is exhausted or the system forbids executable memory. */
static inline void *_Nullable hslink_ffi_closure(ffi_cif *_Nonnull cif, hslink_ffi_handler _Nonnull handler,
                                                 void *_Nullable context, void *_Nullable *_Nonnull closure) {
    void *code = NULL;
    *closure = ffi_closure_alloc(sizeof(ffi_closure), &code);
    if (*closure == NULL) return NULL;
    if (ffi_prep_closure_loc((ffi_closure *)*closure, cif, (void (*)(ffi_cif *, void *, void **, void *))handler,
                             context, code) != FFI_OK) {
        ffi_closure_free(*closure);
        *closure = NULL;
        return NULL;
    }
    return code;
}

/* Calls a function that takes one pointer, and ignores its result. */
static inline void hslink_ffi_release(const void *_Nonnull function, void *_Nullable pointer) {
    ((void (*)(void *))(size_t)function)(pointer);
}

/* Whether two texts of the same length are equal. Optimised for short texts. */
static inline int hslink_same_text(const char *_Nonnull left, const char *_Nonnull right, size_t length) {
    size_t index;
    if (length > 16) return memcmp(left, right, length) == 0;
    for (index = 0; index < length; index++)
        if (left[index] != right[index]) return 0;
    return 1;
}

/* Copies text. 0 if it contains a NUL. */
static inline int hslink_copy_text(void *_Nonnull to, const char *_Nonnull from, size_t length) {
    size_t index;
    char *target = (char *)to;
    for (index = 0; index < length; index++) {
        if (from[index] == 0) return 0;
        target[index] = from[index];
    }
    return 1;
}

/* The layout of long double differs between machines, so payloads carry double. */
static inline void hslink_store_long_double(void *_Nonnull at, double number) {
    long double value = (long double)number;
    memcpy(at, &value, sizeof value);
}
static inline double hslink_load_long_double(const void *_Nonnull at) {
    long double value;
    memcpy(&value, at, sizeof value);
    return (double)value;
}

#endif /* HSLINK_FFI_H */
