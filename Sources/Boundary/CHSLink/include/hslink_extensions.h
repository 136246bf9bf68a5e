/*
 * hslink_extensions.h - tables that objects and components return from get_extension. A part of hslink.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HSLINK_EXTENSIONS_H
#define HSLINK_EXTENSIONS_H

#ifndef HSLINK_H
#error "include hslink.h, which includes this file"
#endif

/* ---- The extension "hslink.owner/1" of an object type --------------------------------------- */

/* For hslink_object_type.get_extension, which returns an hslink_object_owner. */
#define HSLINK_OWNER "hslink.owner/1"

/* Identifies the component that an object belongs to, so that a host can count calls to the object against that
 * component. Without this extension the host uses the image that contains the function `invoke`. */
typedef struct hslink_object_owner {
    uint32_t struct_size;
    uint32_t flags; /* HSLINK_OWNER_…; others are ignored */
    /* Returns the table of the component that `self` belongs to, or NULL for none. Valid while `self` is retained;
     * the caller retains the table to keep it longer. May be called on any thread, even after destroy; must not
     * block. */
    const hslink_host *HSLINK_NULLABLE (*HSLINK_NONNULL host)(hslink_object *HSLINK_NONNULL self);
} hslink_object_owner;

/* hslink_object_owner.flags */
enum {
    HSLINK_OWNER_ENTERS = 1 /* `invoke` calls hslink_host.enter before, and leave after, it runs the component's code.
                             * Without the flag the host marks the thread itself, and each call counts as two levels of
                             * depth if invoke does so, too. */
};

/* ---- The extension "hslink.stopping/1" of a component ---------------------------------------- */

/* For hslink_descriptor.get_extension, which returns an hslink_stopping. */
#define HSLINK_STOPPING "hslink.stopping/1"

/* Notifies a component that its host is stopping. */
typedef struct hslink_stopping {
    uint32_t struct_size;
    uint32_t reserved;
    /* Called once for each component value that create made, on the thread that stops the host, before the host
     * waits for threads that run in the component. Must not block. Wake anything that waits here, so that threads
     * between enter and leave, work that was begun, and methods that answer later can finish. destroy follows once
     * they have finished. */
    void (*HSLINK_NONNULL stopping)(const hslink_descriptor *HSLINK_NONNULL self, void *HSLINK_NULLABLE component);
} hslink_stopping;

HSLINK_ENDS(hslink_object_owner, host, HSLINK_OBJECT_OWNER_SIZE_1_0);
HSLINK_ENDS(hslink_stopping, stopping, HSLINK_STOPPING_SIZE_1_0);

#endif /* HSLINK_EXTENSIONS_H */
