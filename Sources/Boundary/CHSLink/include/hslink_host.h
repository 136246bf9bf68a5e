/*
 * hslink_host.h - the functions that a host offers to a component. A part of hslink.h.
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
    HSLINK_DETACH = 1, /* do not run the method on this thread unless it is quick; another thread may reply */
    HSLINK_WAITS = 2   /* this thread sleeps until the reply, and `complete` only wakes it; the method sees this as
                          HSLINK_CALL_WAITS, and passes it on if it forwards its reply */
};

/* One call that a component makes. Borrowed until hslink_host.call returns. */
typedef struct hslink_request {
    uint32_t struct_size;
    uint32_t kind; /* HSLINK_OBJECT_METHOD or HSLINK_CLASS_METHOD; any other kind is refused */
    hslink_string class_name;
    hslink_string selector;
    hslink_object *HSLINK_NULLABLE object; /* not NULL: call this object and ignore class_name and kind */
    const hslink_value *HSLINK_NULLABLE payload; /* NULL: null. Copied by the host if it must outlive the call */
    uint64_t deadline; /* nanoseconds of CLOCK_MONOTONIC; 0: none. A deadline implies HSLINK_DETACH; quick
                        * methods still run on this thread */
    uint64_t flags;
    /* As hslink_call.carried, with the same limits. NULL inherits from the call that this thread is currently
     * executing, if any; an empty map carries nothing. The host copies it if the method may outlive this call. */
    const hslink_value *HSLINK_NULLABLE carried;
} hslink_request;

/* Identifies a call for cancel; a plain value. All zero if there is nothing to cancel. Never grows. */
typedef struct hslink_call_id {
    void *HSLINK_NULLABLE slot;
    uint64_t token;
} hslink_call_id;

/* hslink_host.log */
enum { HSLINK_LOG_DEBUG = 0, HSLINK_LOG_INFO = 1, HSLINK_LOG_WARNING = 2, HSLINK_LOG_ERROR = 3 };

/* The functions that a host offers to a component. Each component value has its own table. Every function
 * takes the table as its first argument and may be called from any thread. After destroy the table stays
 * valid while it is retained; after a failed create, until the host has ended, and longer while it is
 * retained. Calls through it are then answered with HSLINK_ERROR_STOPPED. */
struct hslink_host {
    uint32_t struct_size;
    uint16_t abi_major;
    uint16_t abi_minor;
    hslink_string component; /* the name of the component that the table was made for */
    hslink_string directory; /* absolute path of the directory that contains its file; empty when built in */
    void (*HSLINK_NONNULL retain)(const hslink_host *HSLINK_NONNULL self);
    void (*HSLINK_NONNULL release)(const hslink_host *HSLINK_NONNULL self);
    /* Calls a class of another component, of the host, or of the caller itself. `reply` is answered
     * exactly once: before this returns (HSLINK_REPLIED), or later from another thread (HSLINK_LATER).
     * `id`, unless it is NULL, receives the argument for cancel. */
    int32_t (*HSLINK_NONNULL call)(const hslink_host *HSLINK_NONNULL self,
                                   const hslink_request *HSLINK_NONNULL request, hslink_reply reply,
                                   hslink_call_id *HSLINK_NULLABLE id);
    /* Ends a call with HSLINK_ERROR_CANCELLED and notifies its method. Has no effect once the call has ended. */
    void (*HSLINK_NONNULL cancel)(const hslink_host *HSLINK_NONNULL self, hslink_call_id id);
    /* Resolves a class and a selector once. Returns 0 and sets `bound` to an object with one reference whose
     * empty selector calls the method. Any other number is a failure, reported to `failure` unless that is
     * NULL. May load the component. */
    int32_t (*HSLINK_NONNULL bind)(const hslink_host *HSLINK_NONNULL self, hslink_string class_name,
                                   hslink_string selector, uint32_t kind,
                                   hslink_object *HSLINK_NULLABLE *HSLINK_NONNULL bound,
                                   const hslink_failure *HSLINK_NULLABLE failure);
    /* 1 if a component declares the class and, unless `selector` is empty, a selector with that name and kind.
     * Reads manifests only and loads nothing. */
    int32_t (*HSLINK_NONNULL is_available)(const hslink_host *HSLINK_NONNULL self, hslink_string class_name,
                                           hslink_string selector, uint32_t kind);
    /* 1 if the component that has the class is loaded and running. The program's own classes are loaded until the host
     * stops. */
    int32_t (*HSLINK_NONNULL is_loaded)(const hslink_host *HSLINK_NONNULL self, hslink_string class_name);
    /* Begins a bracket around code that runs for an object (in its invoke) or on a component's own thread, so
     * that destroy waits for it. HSLINK_OK: continue, and call leave afterwards. HSLINK_LATE: the component was
     * stopped; answer HSLINK_ERROR_STOPPED and do not call leave. HSLINK_ERROR_TOO_DEEP: calls are nested too deep
     * on this thread; answer with this code and do not call leave. Brackets may be nested. */
    int32_t (*HSLINK_NONNULL enter)(const hslink_host *HSLINK_NONNULL self);
    /* Ends the innermost bracket. Call it once for each successful enter, on the same thread. An extra leave is
     * ignored and logged. */
    void (*HSLINK_NONNULL leave)(const hslink_host *HSLINK_NONNULL self);
    /* Writes a line to the host's log, under the component's name. */
    void (*HSLINK_NONNULL log)(const hslink_host *HSLINK_NONNULL self, int32_t level, hslink_string message);
    /* Returns the table of the extension `id` ("hslink.NAME/REVISION"), or NULL; the same for every call. Valid as
     * long as this table. HSLINK_DATA gives a component a directory of its own, HSLINK_RESOURCES the files that came
     * with it, and HSLINK_CONFIGURATION what operators have configured for it. */
    const void *HSLINK_NULLABLE (*HSLINK_NONNULL get_extension)(const hslink_host *HSLINK_NONNULL self,
                                                               hslink_string id);
    /* Announces work that continues after the method has returned, on any thread (a task, a queue); destroy waits
     * for it as for a method. HSLINK_OK: continue, and call end_work once, from any thread. HSLINK_LATE: the
     * component was stopped; do not call end_work. Unlike a bracket, work is not tied to a thread.
     * A component whose method has returned while calls that it has made are pending begins work for them, and ends it
     * in the last `complete`: otherwise that may run when the component has been destroyed. */
    int32_t (*HSLINK_NONNULL begin_work)(const hslink_host *HSLINK_NONNULL self);
    /* Ends the work that one begin_work announced. An extra end_work is ignored and logged. */
    void (*HSLINK_NONNULL end_work)(const hslink_host *HSLINK_NONNULL self);
};

HSLINK_ENDS(hslink_request, carried, HSLINK_REQUEST_SIZE_1_0);
HSLINK_ENDS(hslink_host, end_work, HSLINK_HOST_SIZE_1_0);
HSLINK_ASSERT(sizeof(hslink_call_id) == 16, "hslink_call_id never grows");

#endif /* HSLINK_HOST_H */
