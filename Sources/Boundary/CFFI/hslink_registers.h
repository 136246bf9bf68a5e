/*
 * hslink_registers.h - calls functions whose arguments are all in registers, without libffi.
 *
 * On x86_64 (System V ABI, section 3.2.3) and aarch64 (AAPCS64, section 6.8.2), integers and pointers are passed in one
 * sequence of registers and floating-point numbers in another one, whatever their order among each other. A function
 * finds its arguments there if it is called with six integers and eight floating-point numbers, and ignores the rest.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HSLINK_REGISTERS_H
#define HSLINK_REGISTERS_H

#include <stddef.h>
#include <stdint.h>

#define HSLINK_INTEGER_REGISTERS 6
#define HSLINK_FLOAT_REGISTERS 8

/* What the registers get. Each integer has 16 bytes, of which the second half is free for the caller. A float is in
 * the first half of its eight bytes. */
typedef struct {
    int64_t integers[2 * HSLINK_INTEGER_REGISTERS];
    double floats[HSLINK_FLOAT_REGISTERS];
} hslink_registers;

#define HSLINK_I(r)                                                                                                    \
    (r)->integers[0], (r)->integers[2], (r)->integers[4], (r)->integers[6], (r)->integers[8], (r)->integers[10]
#define HSLINK_F(r)                                                                                                    \
    (r)->floats[0], (r)->floats[1], (r)->floats[2], (r)->floats[3], (r)->floats[4], (r)->floats[5], (r)->floats[6],    \
        (r)->floats[7]
#define HSLINK_I_TYPES int64_t, int64_t, int64_t, int64_t, int64_t, int64_t
#define HSLINK_F_TYPES double, double, double, double, double, double, double, double
#define HSLINK_CALL(result)                                                                                            \
    (has_floats ? ((result (*)(HSLINK_I_TYPES, HSLINK_F_TYPES))(size_t)function)(HSLINK_I(r), HSLINK_F(r))             \
                : ((result (*)(HSLINK_I_TYPES))(size_t)function)(HSLINK_I(r)))

/* Calls a function that returns an integer or a pointer, in the low-order bytes, or nothing. */
static inline int64_t hslink_call_for_integer(const void *_Nonnull function, const hslink_registers *_Nonnull r,
                                              int has_floats) {
    return HSLINK_CALL(int64_t);
}

static inline double hslink_call_for_double(const void *_Nonnull function, const hslink_registers *_Nonnull r,
                                            int has_floats) {
    return HSLINK_CALL(double);
}

static inline float hslink_call_for_float(const void *_Nonnull function, const hslink_registers *_Nonnull r,
                                          int has_floats) {
    return HSLINK_CALL(float);
}

#undef HSLINK_I
#undef HSLINK_F
#undef HSLINK_I_TYPES
#undef HSLINK_F_TYPES
#undef HSLINK_CALL

#endif /* HSLINK_REGISTERS_H */
