/*
 * hslink_ffi.h - libffi as Swift can use it: its types are variables and its calls take pointers to functions
 * without a type, neither of which Swift imports as such.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HSLINK_FFI_H
#define HSLINK_FFI_H

#include <errno.h>
#include <ffi.h>
#include <stddef.h>
#include <string.h>

/* The type of a FFI_TYPE_* number other than a struct; NULL for any other number. */
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

/* FFI_OK is 0. */
static inline int hslink_ffi_prepare(ffi_cif *_Nonnull cif, unsigned fixed, unsigned count, int is_variadic,
                                     ffi_type *_Nonnull result, ffi_type *_Nullable *_Nonnull types) {
    return is_variadic ? (int)ffi_prep_cif_var(cif, FFI_DEFAULT_ABI, fixed, count, result, types)
                       : (int)ffi_prep_cif(cif, FFI_DEFAULT_ABI, count, result, types);
}

static inline void hslink_ffi_call(ffi_cif *_Nonnull cif, const void *_Nonnull function, void *_Nonnull result,
                                   void *_Nullable *_Nonnull arguments) {
    ffi_call(cif, (void (*)(void))(size_t)function, result, arguments);
}

/* The same with errno 0 before; returns errno after, before anything else can change it. */
static inline int hslink_ffi_call_errno(ffi_cif *_Nonnull cif, const void *_Nonnull function, void *_Nonnull result,
                                        void *_Nullable *_Nonnull arguments) {
    errno = 0;
    ffi_call(cif, (void (*)(void))(size_t)function, result, arguments);
    return errno;
}

typedef void (*hslink_ffi_handler)(ffi_cif *_Nonnull cif, void *_Nullable result,
                                   void *_Nullable *_Nullable arguments, void *_Nullable context);

/* A function pointer that calls `handler` with `context`; freed by ffi_closure_free(*closure). NULL: no memory,
 * or a machine that forbids it. */
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

/* Calls a function of one pointer whose result nobody wants. */
static inline void hslink_ffi_release(const void *_Nonnull function, void *_Nullable pointer) {
    ((void (*)(void *))(size_t)function)(pointer);
}

/* Whether two texts of one length, mostly short, are the same. */
static inline int hslink_same_text(const char *_Nonnull left, const char *_Nonnull right, size_t length) {
    size_t index;
    if (length > 16) return memcmp(left, right, length) == 0;
    for (index = 0; index < length; index++)
        if (left[index] != right[index]) return 0;
    return 1;
}

/* Copies text; 0 when there is a NUL in it. */
static inline int hslink_copy_text(void *_Nonnull to, const char *_Nonnull from, size_t length) {
    size_t index;
    char *target = (char *)to;
    for (index = 0; index < length; index++) {
        if (from[index] == 0) return 0;
        target[index] = from[index];
    }
    return 1;
}

/* long double differs from machine to machine; payloads carry double. */
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
