/*
 * hslink_layout.h - the sizes of structs, and how to read a struct from another revision. A part of hslink.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HSLINK_LAYOUT_H
#define HSLINK_LAYOUT_H

#ifndef HSLINK_H
#error "include hslink.h, which includes this file"
#endif

/* ---- Sizes ------------------------------------------------------------------------------ */

/* The sizes in ABI 1.0 of the structs that may grow. A reader may require these sizes, and every writer provides at
 * least these. They do not change when members are appended. */
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
    HSLINK_HOST_RESOURCES_SIZE_1_0 = 32,
    HSLINK_HOST_CONFIGURATION_SIZE_1_0 = 32,
    HSLINK_OBJECT_OWNER_SIZE_1_0 = 16,
    HSLINK_STOPPING_SIZE_1_0 = 16
};

/* 1 if the struct at `pointer`, which has a struct_size, includes `member`. Read or call a member that was added
 * after 1.0 only if this is 1.
 *
 *     if (HSLINK_HAS(host, newer) && host->newer != NULL) host->newer(host);
 */
#define HSLINK_HAS(pointer, member)                                                                \
    (offsetof(__typeof__(*(pointer)), member) + sizeof((pointer)->member) <= (pointer)->struct_size ? 1 : 0)

/* Asserts that `last` still ends at the size that the struct had in 1.0. */
#define HSLINK_ENDS(type, last, size)                                                              \
    HSLINK_ASSERT(offsetof(type, last) + sizeof(((type *)NULL)->last) == (size), #type " must keep its ABI 1.0 layout")

/* ---- Lengths ---------------------------------------------------------------------------- */

/* The maximum lengths of strings outside payloads. A reader does not read a longer string. */
enum {
    HSLINK_NAME_BYTES = 4096,    /* the name of a component, class, selector, domain, extension or caller */
    HSLINK_MESSAGE_BYTES = 65536 /* an error's message or a log line */
};

#endif /* HSLINK_LAYOUT_H */
