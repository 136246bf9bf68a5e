/*
 * hslink_glibc.c - functions that need feature macros, which a header cannot set for its includers.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE
#include "hslink_glibc.h"

#include <pthread.h>

hslink_stack_reserve hslink_reserve_of_stack(void) {
    const size_t largest = 512 * 1024;
    hslink_stack_reserve reserve = {0, 0};
    pthread_attr_t attributes;
    void *start = NULL;
    size_t size = 0, guard = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return reserve;
    if (pthread_attr_getstack(&attributes, &start, &size) != 0) size = 0;
    if (pthread_attr_getguardsize(&attributes, &guard) != 0) guard = 0;
    pthread_attr_destroy(&attributes);
    if (size == 0) return reserve;
    reserve.start = (uintptr_t)start;
    reserve.size = guard + (size / 4 < largest ? size / 4 : largest);
    return reserve;
}
