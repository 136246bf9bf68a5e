/*
 * hslink_extensions.h - tables that objects and components answer from get_extension. A part of hslink.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HSLINK_EXTENSIONS_H
#define HSLINK_EXTENSIONS_H

#ifndef HSLINK_H
#error "include hslink.h, which includes this file"
#endif

/* ---- The extension "hslink.owner/1" of an object type --------------------------------------- */

/* For hslink_object_type.get_extension, which answers a hslink_object_owner. */
#define HSLINK_OWNER "hslink.owner/1"

/* Tells which component an object belongs to, so that a host can count calls of the object against that component.
 * Without it a host goes by the image that the function `invoke` lies in. */
typedef struct hslink_object_owner {
    uint32_t struct_size;
    uint32_t reserved;
    /* The table of the component that `self` belongs to, or NULL for none. Valid while `self` is retained; the
     * caller retains the table to keep it longer. Any thread, also after destroy; must not block. */
    const hslink_host *HSLINK_NULLABLE (*HSLINK_NONNULL host)(hslink_object *HSLINK_NONNULL self);
} hslink_object_owner;

/* ---- The extension "hslink.stopping/1" of a component ---------------------------------------- */

/* For hslink_descriptor.get_extension, which answers a hslink_stopping. */
#define HSLINK_STOPPING "hslink.stopping/1"

/* Tells a component that its host begins to end it. */
typedef struct hslink_stopping {
    uint32_t struct_size;
    uint32_t reserved;
    /* Called once for each component value that create made, on the thread that stops the host, before the host
     * waits for the threads inside the component. Must not block: it wakes what waits, so that threads between
     * enter and leave, work that was begun, and methods that answer later come to their end. destroy follows when
     * they have. */
    void (*HSLINK_NONNULL stopping)(const hslink_descriptor *HSLINK_NONNULL self, void *HSLINK_NULLABLE component);
} hslink_stopping;

HSLINK_ENDS(hslink_object_owner, host, HSLINK_OBJECT_OWNER_SIZE_1_0);
HSLINK_ENDS(hslink_stopping, stopping, HSLINK_STOPPING_SIZE_1_0);

#endif /* HSLINK_EXTENSIONS_H */
