/*
 * hslink_layout.h - sizes of structs, and how to read one that may be shorter or longer than one's own.
 * A part of hslink.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HSLINK_LAYOUT_H
#define HSLINK_LAYOUT_H

#ifndef HSLINK_H
#error "include hslink.h, which includes this file"
#endif

/* ---- Sizes ------------------------------------------------------------------------------ */

/* The sizes in ABI 1.0 of the structs that may grow: what every reader may requirement, and what every writer has at
 * least. They stay when members are appended. */
enum {
    HSLINK_ERROR_SIZE_1_0 = 104,
    HSLINK_REPLY_OPS_SIZE_1_0 = 32,
    HSLINK_CALL_SIZE_1_0 = 72,
    HSLINK_OBJECT_TYPE_SIZE_1_0 = 56,
    HSLINK_METHOD_SIZE_1_0 = 40,
    HSLINK_CLASS_SIZE_1_0 = 56,
    HSLINK_DESCRIPTOR_SIZE_1_0 = 88,
    HSLINK_REQUEST_SIZE_1_0 = 80,
    HSLINK_HOST_SIZE_1_0 = 144,
    HSLINK_HOST_DATA_SIZE_1_0 = 16,
    HSLINK_OBJECT_OWNER_SIZE_1_0 = 16,
    HSLINK_STOPPING_SIZE_1_0 = 16
};

/* 1 when the struct behind `pointer`, one with a struct_size, has `member`: a member that came after 1.0 is read,
 * or called, only then.
 *
 *     if (HSLINK_HAS(host, newer) && host->newer != NULL) host->newer(host);
 */
#define HSLINK_HAS(pointer, member)                                                                \
    (offsetof(__typeof__(*(pointer)), member) + sizeof((pointer)->member) <= (pointer)->struct_size ? 1 : 0)

/* That the members of 1.0 end where they ended then, with `last`. */
#define HSLINK_ENDS(type, last, size)                                                              \
    HSLINK_ASSERT(offsetof(type, last) + sizeof(((type *)NULL)->last) == (size), #type " of ABI 1.0")

/* ---- Lengths ---------------------------------------------------------------------------- */

/* How long a text may be that is not a payload's: a reader does not look at a longer one. */
enum {
    HSLINK_NAME_BYTES = 4096,    /* of a component, class, selector, domain, extension or caller */
    HSLINK_MESSAGE_BYTES = 65536 /* of an error's message or a log line */
};

#endif /* HSLINK_LAYOUT_H */
