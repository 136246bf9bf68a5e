/*
 * hslink_glibc.c - functions that need feature macros, which a header cannot set for its includers.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE
#include "hslink_glibc.h"

#include <errno.h>
#include <pthread.h>
#include <sys/types.h>
#include <sys/xattr.h>

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

int hslink_acl_names_writers(const char *path) {
    /* A version, and entries with a tag, permissions and an identifier; see linux/posix_acl_xattr.h. */
    enum { HEAD = 4, ENTRY = 8, NAMED_USER = 0x02, NAMED_GROUP = 0x08, MASK = 0x10, WRITE = 0x02 };
    unsigned char list[HEAD + ENTRY * 1024];
    int names_writers = 0, mask = WRITE;
    ssize_t size = getxattr(path, "system.posix_acl_access", list, sizeof list);
    if (size < 0) return errno == ERANGE; /* more entries than anyone would check */
    for (ssize_t at = HEAD; at + ENTRY <= size; at += ENTRY) {
        int tag = list[at] | list[at + 1] << 8;
        int permissions = list[at + 2] | list[at + 3] << 8;
        if (tag == MASK) mask = permissions;
        if (tag == NAMED_USER || tag == NAMED_GROUP) names_writers |= permissions & WRITE;
    }
    return (names_writers & mask) != 0;
}
