/*
 * hslink_host.h - what a component may ask of its host. A part of hslink.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HSLINK_HOST_H
#define HSLINK_HOST_H

#ifndef HSLINK_H
#error "include hslink.h, which includes this file"
#endif

/* ---- The host --------------------------------------------------------------------------- */

/* hslink_request.flags; others are ignored */
enum {
    HSLINK_DETACH = 1, /* do not run the method on this thread unless it is quick: the answer may come from another */
    HSLINK_WAITS = 2   /* this thread sleeps until the reply, whose `complete` wakes it and does nothing else; passed on as
                          HSLINK_CALL_WAITS */
};

/* One call of a component. Borrowed by hslink_host.call until that returns. */
typedef struct hslink_request {
    uint32_t struct_size;
    uint32_t kind; /* HSLINK_OBJECT_METHOD or HSLINK_CLASS_METHOD; any other is refused */
    hslink_string class_name;
    hslink_string selector;
    hslink_object *HSLINK_NULLABLE object; /* not NULL: call this object, class_name and kind are not looked at */
    const hslink_value *HSLINK_NULLABLE payload; /* NULL: null. Copied by the host where it outlives the call */
    uint64_t deadline; /* nanoseconds of CLOCK_MONOTONIC; 0: none. With one, HSLINK_DETACH is implied,
                        * and quick methods run on this thread all the same */
    uint64_t flags;
    /* What the call carries along, as hslink_call.carried, with its limits. NULL: what the call carries that this
     * thread is carrying out just now, if any; an empty map: nothing. Copied by the host where it outlives the call. */
    const hslink_value *HSLINK_NULLABLE carried;
} hslink_request;

/* Names a call that has begun, for cancel; a plain value. All zero: a call that needs no cancelling. Never grows. */
typedef struct hslink_call_id {
    void *HSLINK_NULLABLE slot;
    uint64_t token;
} hslink_call_id;

/* hslink_host.log */
enum { HSLINK_LOG_DEBUG = 0, HSLINK_LOG_INFO = 1, HSLINK_LOG_WARNING = 2, HSLINK_LOG_ERROR = 3 };

/* What a component may ask of its host. One table for each component value; every function takes
 * the table itself first, and may be called from any thread. After destroy the table stays valid
 * while it is retained, and calls are answered with HSLINK_ERROR_STOPPED; after a failed create, until the
 * host has ended, and beyond while retained. */
struct hslink_host {
    uint32_t struct_size;
    uint16_t abi_major;
    uint16_t abi_minor;
    hslink_string component; /* the name of the component it was made for */
    hslink_string directory; /* absolute path of the folder its file lies in; empty when built in */
    void (*HSLINK_NONNULL retain)(const hslink_host *HSLINK_NONNULL self);
    void (*HSLINK_NONNULL release)(const hslink_host *HSLINK_NONNULL self);
    /* Calls a class of another component, of the host, or of the caller itself. `reply` is answered
     * exactly once: before this returns (HSLINK_REPLIED), or later from another thread (HSLINK_LATER).
     * `id`, where not NULL, receives what cancel takes. */
    int32_t (*HSLINK_NONNULL call)(const hslink_host *HSLINK_NONNULL self,
                                   const hslink_request *HSLINK_NONNULL request, hslink_reply reply,
                                   hslink_call_id *HSLINK_NULLABLE id);
    /* Ends a call with HSLINK_ERROR_CANCELLED and tells its method. No effect once it has ended. */
    void (*HSLINK_NONNULL cancel)(const hslink_host *HSLINK_NONNULL self, hslink_call_id id);
    /* Resolves class and selector once. 0: `bound` is an object with one reference whose empty
     * selector calls the method. Else `failure`, where not NULL, was told. May load the component. */
    int32_t (*HSLINK_NONNULL bind)(const hslink_host *HSLINK_NONNULL self, hslink_string class_name,
                                   hslink_string selector, uint32_t kind,
                                   hslink_object *HSLINK_NULLABLE *HSLINK_NONNULL bound,
                                   const hslink_failure *HSLINK_NULLABLE failure);
    /* 1 when a component declares the class (and the selector of that kind, unless it is empty). Asks
     * manifests, loads nothing. */
    int32_t (*HSLINK_NONNULL is_available)(const hslink_host *HSLINK_NONNULL self, hslink_string class_name,
                                           hslink_string selector, uint32_t kind);
    /* 1 when the component that has the class is in memory and running. */
    int32_t (*HSLINK_NONNULL is_loaded)(const hslink_host *HSLINK_NONNULL self, hslink_string class_name);
    /* Brackets author code that runs on behalf of an object (inside its invoke), or on a thread of the
     * component's own, so that destroy waits for it. HSLINK_OK: go on, and call leave afterwards. HSLINK_LATE: the
     * component was stopped, answer HSLINK_ERROR_STOPPED, do not call leave. HSLINK_ERROR_TOO_DEEP: calls are nested too
     * deep on this thread, answer that, do not call leave. Brackets may lie inside each other. */
    int32_t (*HSLINK_NONNULL enter)(const hslink_host *HSLINK_NONNULL self);
    /* Ends the innermost bracket: on the thread that entered, as often as it entered. A leave too many is ignored
     * and logged. */
    void (*HSLINK_NONNULL leave)(const hslink_host *HSLINK_NONNULL self);
    /* Writes a line to the host's log, under the component's name. */
    void (*HSLINK_NONNULL log)(const hslink_host *HSLINK_NONNULL self, int32_t level, hslink_string message);
    /* A table for the extension `id` ("hslink.NAME/REVISION"), or NULL; the same at every call. Valid as long as
     * this table. There is HSLINK_DATA, for a directory of the component's own. */
    const void *HSLINK_NULLABLE (*HSLINK_NONNULL get_extension)(const hslink_host *HSLINK_NONNULL self,
                                                               hslink_string id);
    /* Announces work of the component that goes on after its method has returned, on whatever thread (a task, a
     * queue): destroy waits for it as for a method. HSLINK_OK: go on, and call end_work once, from any thread.
     * HSLINK_LATE: the component was stopped, do not call end_work. Unlike enter it belongs to no thread. */
    int32_t (*HSLINK_NONNULL begin_work)(const hslink_host *HSLINK_NONNULL self);
    /* Ends what one begin_work announced. An end_work too many is ignored and logged. */
    void (*HSLINK_NONNULL end_work)(const hslink_host *HSLINK_NONNULL self);
};

HSLINK_ENDS(hslink_request, carried, HSLINK_REQUEST_SIZE_1_0);
HSLINK_ENDS(hslink_host, end_work, HSLINK_HOST_SIZE_1_0);
HSLINK_ASSERT(sizeof(hslink_call_id) == 16, "hslink_call_id never grows");

#endif /* HSLINK_HOST_H */
