/*
 * hslink.h - the boundary between a host and its components, ABI 1.0
 *
 * A component is one shared object (.so). It exports one function, hslink_component(), which
 * returns a constant descriptor; it carries its manifest in ELF notes that a host reads without
 * running anything. Both sides speak through the structs of this file and nothing else: no
 * C++, Rust or Swift value crosses. This header is all that a component in C needs:
 *
 *     #include "hslink.h"
 *
 *     HSLINK_MANIFEST("{\"name\": \"Greeter\", \"version\": \"1.0.0\", \"classes\": [{"
 *                     "\"name\": \"Greeter\", \"selectors\": [{\"name\": \"hello\", \"kind\": \"class\"}]}]}")
 *
 *     static int32_t hello(void *context, hslink_object *self, const hslink_value *payload,
 *                          const hslink_call *call) {
 *         const hslink_value *name = hslink_map_get(payload, "name");
 *         (void)context; (void)self;
 *         if (name == NULL || name->tag != HSLINK_STRING)
 *             return hslink_fail(call, HSLINK_ERROR_PAYLOAD, "name: expected a string");
 *         return hslink_return(call, *name);
 *     }
 *     static const hslink_method methods[] = {{HSLINK_LITERAL("hello"), HSLINK_CLASS_METHOD, 0, hello, NULL}};
 *     static const hslink_class greeter = HSLINK_CLASS("Greeter", methods, NULL, NULL);
 *     static const hslink_class *const classes[] = {&greeter};
 *     static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("Greeter", "1.0.0", classes, NULL, NULL);
 *     HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
 *
 *     cc -std=c11 -shared -fPIC -fvisibility=hidden -o libGreeter.so greeter.c
 *
 * Rules that hold for every function here
 *
 *   Memory     What is passed to a function is borrowed until that function returns. Nobody frees
 *              the other side's memory. Who wants to keep something copies it, or retains it where
 *              it is an object. For a payload "that function" is the method: the host keeps it alive
 *              until the method has returned, even when its caller has long gone.
 *   Reply      A method is answered exactly once, from any thread, through the reply of its call.
 *              Later and second replies are counted and have no effect.
 *   Threads    A method may be called from several threads at once. A function of this header may
 *              be called from any thread unless its comment says otherwise.
 *   Unwinding  Nothing unwinds across the boundary. A component catches its C++ exceptions, Rust
 *              panics and longjmps before it returns; one that escapes is undefined behaviour.
 *   Growth     The major number changes when an old reader would misread. Within a major number
 *              structs grow at their end only; every struct that may grow begins with its
 *              struct_size, and a reader looks at no byte beyond it. Names that begin with hslink_
 *              and HSLINK_ belong to this project.
 *   Code       A component that was opened is never unmapped, so a pointer to its code or constants
 *              stays valid for the life of the process.
 *
 * The header is C11 and C++17 and needs a 64-bit little-endian machine.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HSLINK_H
#define HSLINK_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if !defined(__LP64__) || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "hslink.h: the boundary is defined for 64-bit little-endian machines"
#endif

#ifdef __cplusplus
#define HSLINK_ASSERT(condition, text) static_assert(condition, text)
#define HSLINK_EXPORT extern "C" __attribute__((visibility("default")))
extern "C" {
#else
#define HSLINK_ASSERT(condition, text) _Static_assert(condition, text)
#define HSLINK_EXPORT __attribute__((visibility("default")))
#endif

#if defined(__clang__)
#define HSLINK_NULLABLE _Nullable
#define HSLINK_NONNULL _Nonnull
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wnullability-extension"
#else
#define HSLINK_NULLABLE
#define HSLINK_NONNULL
#endif

#define HSLINK_ABI_MAJOR 1
#define HSLINK_ABI_MINOR 0

/* First member of every descriptor: the bytes "HSLINK\r\n" in memory order. */
#define HSLINK_MAGIC UINT64_C(0x0A0D4B4E494C5348)

#include "hslink_values.h"

typedef struct hslink_call hslink_call;
typedef struct hslink_host hslink_host;
typedef struct hslink_error hslink_error;

/* ---- Errors ----------------------------------------------------------------------------- */

/* Codes of the domain "" (HSLink's own). Codes of another domain mean what that domain says. */
enum {
    HSLINK_ERROR_CLASS_NOT_FOUND = 1,    /* no component has the class */
    HSLINK_ERROR_SELECTOR_NOT_FOUND = 2, /* the class is there, the selector of that kind is not */
    HSLINK_ERROR_NOT_LOADED = 3,         /* the component is there but could not be loaded; cause says why */
    HSLINK_ERROR_STOPPED = 4,            /* the component or the host has been stopped */
    HSLINK_ERROR_PAYLOAD = 5,            /* the payload does not fit the method */
    HSLINK_ERROR_FAILED = 6,             /* the method failed in its own way */
    HSLINK_ERROR_DEADLINE = 7,           /* the deadline passed before the reply */
    HSLINK_ERROR_CANCELLED = 8,          /* the caller, or stop, cancelled the call */
    HSLINK_ERROR_STUCK = 9,              /* too many threads are still inside the component past their deadline */
    HSLINK_ERROR_NO_REPLY = 10,          /* the method returned HSLINK_REPLIED without a reply */
    HSLINK_ERROR_DROPPED = 11,           /* the last owner of the reply let go of it */
    HSLINK_ERROR_INVALID_REPLY = 12,     /* the reply is no valid value */
    HSLINK_ERROR_WOULD_DEADLOCK = 13     /* waiting here would wait for oneself */
};

/* Why a call failed. The struct and all it points to are borrowed until the function that it is
 * passed to returns. `class_name`, `selector` and `component` are filled in by the host where a
 * component leaves them empty. */
struct hslink_error {
    uint32_t struct_size;
    int32_t code;
    hslink_string domain;  /* "" for the codes above, else the reverse-DNS or component name of who defines it */
    hslink_string message; /* a sentence for people; says what to do where there is something to do */
    hslink_string class_name;
    hslink_string selector;
    hslink_string component;
    const hslink_value *HSLINK_NULLABLE details; /* anything more, for programs */
    const hslink_error *HSLINK_NULLABLE cause;   /* what led to it */
};

/* Where create and make report why they fail. Lives for that call only. */
typedef struct hslink_failure {
    void (*HSLINK_NONNULL report)(void *HSLINK_NULLABLE context, const hslink_error *HSLINK_NONNULL error);
    void *HSLINK_NULLABLE context;
} hslink_failure;

/* ---- Replies ---------------------------------------------------------------------------- */

/* What a method returns. Any other number counts as HSLINK_REPLIED. */
enum {
    HSLINK_REPLIED = 0, /* the reply was given before the method returned */
    HSLINK_LATER = 1    /* the reply comes later, from any thread; until then only deadline, cancellation or stop end the call */
};

/* What complete, is_cancelled and on_cancel return. */
enum {
    HSLINK_OK = 0,
    HSLINK_LATE = 1 /* nobody waits any more: the call was answered, cancelled or ran out of time */
};

/* Called exactly once for each successful on_cancel, so that `context` can be freed there:
 * `cancelled` is 1 when the call was cancelled, ran out of time or was stopped, 0 when it ended
 * in another way. Runs on the thread that ends the call, with no lock held; must not block. */
typedef void (*hslink_cancel_handler)(void *HSLINK_NULLABLE context, int32_t cancelled);

/* The functions behind a reply; constant, valid for the life of the process, any thread. */
typedef struct hslink_reply_ops {
    uint32_t struct_size;
    uint32_t reserved;
    /* Answers the call: with `error` when it is not NULL, else with `value` (NULL means null). The
     * receiver has copied both when this returns; objects in `value` have been retained by it.
     * HSLINK_LATE: the call had ended before; it was counted, nothing else happened. */
    int32_t (*HSLINK_NONNULL complete)(void *HSLINK_NULLABLE slot, uint64_t token,
                                       const hslink_value *HSLINK_NULLABLE value,
                                       const hslink_error *HSLINK_NULLABLE error);
    /* HSLINK_LATE when nobody waits any more, for whatever reason: a long method asks now and then. */
    int32_t (*HSLINK_NONNULL is_cancelled)(void *HSLINK_NULLABLE slot, uint64_t token);
    /* Asks to be told of the end of the call; one handler a call, the last one wins and the one
     * before it is called with 0. HSLINK_LATE: the call has ended already, `handler` is not kept. */
    int32_t (*HSLINK_NONNULL on_cancel)(void *HSLINK_NULLABLE slot, uint64_t token,
                                        hslink_cancel_handler HSLINK_NONNULL handler,
                                        void *HSLINK_NULLABLE context);
} hslink_reply_ops;

/* A plain value that may be copied and kept for ever: `slot` is never unmapped, and `token` names
 * one call of it only. */
typedef struct hslink_reply {
    const hslink_reply_ops *HSLINK_NONNULL ops;
    void *HSLINK_NULLABLE slot;
    uint64_t token;
} hslink_reply;

/* hslink_call.flags */
enum {
    HSLINK_CALL_WAITS = 1 /* the calling thread sleeps until the reply: a method whose work needs that very
                             thread (HSLINK_METHOD_MAIN) answers HSLINK_ERROR_WOULD_DEADLOCK */
};

/* The context of one call, borrowed until the method returns; `reply` may be copied and kept. A method
 * may pass its `reply` on, to hslink_host.call or to the invoke of an object, and return what that
 * returns. Who calls an object builds this itself: struct_size, flags, a reply of his own, deadline or 0,
 * his component's name as caller, component NULL. */
struct hslink_call {
    uint32_t struct_size;
    uint32_t flags; /* HSLINK_CALL_WAITS or 0 */
    hslink_reply reply;
    uint64_t deadline;    /* nanoseconds of CLOCK_MONOTONIC; 0: none */
    hslink_string caller; /* name of the component that calls; empty: the host's own code */
    void *HSLINK_NULLABLE component; /* what the callee's create made; NULL in calls on objects */
};

/* ---- Objects ---------------------------------------------------------------------------- */

/* What an object can do; constant, valid for the life of the process. All functions may be called
 * from any thread. */
struct hslink_object_type {
    uint32_t struct_size;
    uint32_t reserved;
    hslink_string name; /* of its class, for messages; "closure" for closures */
    void (*HSLINK_NONNULL retain)(hslink_object *HSLINK_NONNULL self);
    /* May run the author's code (a destructor), so nobody calls it while holding a lock. */
    void (*HSLINK_NONNULL release)(hslink_object *HSLINK_NONNULL self);
    /* Calls a method of the object, with the rules of hslink_method_function. The caller holds a
     * reference until it returns. The empty selector calls a closure. Unknown selectors are
     * answered with HSLINK_ERROR_SELECTOR_NOT_FOUND, calls after stop with HSLINK_ERROR_STOPPED. */
    int32_t (*HSLINK_NONNULL invoke)(hslink_object *HSLINK_NONNULL self, hslink_string selector,
                                     const hslink_value *HSLINK_NONNULL payload,
                                     const hslink_call *HSLINK_NONNULL call);
};

/* An instance, a closure, a stream, a big buffer: anything that travels by reference. This is the
 * first member of the author's own struct. */
struct hslink_object {
    const hslink_object_type *HSLINK_NONNULL type;
};

/* ---- Components ------------------------------------------------------------------------- */

/* A method. `self` is the instance (NULL for class methods) and is held by the host until the
 * method returns; a method that answers later retains what it needs. `payload` is never NULL. What comes
 * through hslink_host.call has been checked (depth, size, UTF-8, unique keys); what another component passes
 * to a bound call or to an object directly is as good as that component.
 * Returns HSLINK_REPLIED or HSLINK_LATER. Any thread, several at once. */
typedef int32_t (*hslink_method_function)(void *HSLINK_NULLABLE context, hslink_object *HSLINK_NULLABLE self,
                                          const hslink_value *HSLINK_NONNULL payload,
                                          const hslink_call *HSLINK_NONNULL call);

/* hslink_method.kind, hslink_request.kind: a class may have two methods of one name, one of each kind. */
enum { HSLINK_OBJECT_METHOD = 0, HSLINK_CLASS_METHOD = 1 };

/* hslink_method.flags */
enum {
    HSLINK_METHOD_QUICK = 1, /* never blocks: asynchronous callers may run it in place */
    HSLINK_METHOD_MAIN = 2   /* does its work on the main thread: nobody on the main thread waits for it */
};

typedef struct hslink_method {
    hslink_string name;
    uint32_t kind;
    uint32_t flags;
    hslink_method_function HSLINK_NONNULL function;
    void *HSLINK_NULLABLE context; /* passed back as it is; lives as long as the descriptor */
} hslink_method;

/* hslink_class.instances: how the host keeps instances for object methods. */
enum {
    HSLINK_SHARED = 0,      /* one for each component value, made at the first object call */
    HSLINK_PER_CALL = 1,    /* made for a call, released when its method has returned */
    HSLINK_PER_CONSUMER = 2 /* one for each component that calls and one for the host's own code, each made at the
                             * first object call from there and released before destroy */
};

typedef struct hslink_class {
    uint32_t struct_size;
    uint32_t instances;
    hslink_string name;
    const hslink_method *HSLINK_NULLABLE methods;
    uint32_t method_count;
    uint32_t method_stride; /* sizeof(hslink_method) as the component knows it */
    /* Makes an instance with one reference, which the host releases. NULL where the class has class
     * methods only. Returns 0, or anything else after a report to `failure`. For a shared class it is
     * called once and by one thread for each component value, for a class per consumer once for each consumer;
     * after a failure again. `*instance` is NULL before; 0 without an
     * instance counts as a failure. It may call back into the host. */
    int32_t (*HSLINK_NULLABLE make)(void *HSLINK_NULLABLE context, void *HSLINK_NULLABLE component,
                                    hslink_object *HSLINK_NULLABLE *HSLINK_NONNULL instance,
                                    const hslink_failure *HSLINK_NONNULL failure);
    void *HSLINK_NULLABLE context;
} hslink_class;

/* What hslink_component() returns: constant, the same at every call, valid for the life of the process. */
typedef struct hslink_descriptor hslink_descriptor;
struct hslink_descriptor {
    uint64_t magic; /* HSLINK_MAGIC */
    uint32_t struct_size;
    uint16_t abi_major;
    uint16_t abi_minor;
    hslink_string name;    /* as in the manifest */
    hslink_string version; /* as in the manifest */
    const hslink_class *HSLINK_NONNULL const *HSLINK_NULLABLE classes;
    uint64_t class_count;
    /* Makes the component value for one host; called once a host, on the thread of the first call.
     * `host` is valid until destroy, and beyond it while retained. It may call back into the host.
     * `*component` is NULL before. Returns 0, or anything else after a report to `failure`; then destroy is
     * not called.
     * NULL: nothing to do, the component value is NULL. */
    int32_t (*HSLINK_NULLABLE create)(const hslink_descriptor *HSLINK_NONNULL self,
                                      const hslink_host *HSLINK_NONNULL host,
                                      void *HSLINK_NULLABLE *HSLINK_NONNULL component,
                                      const hslink_failure *HSLINK_NONNULL failure);
    /* Ends the component value. Called once, after the last method has returned and the shared
     * instances have been released; not at all when a method never returns. */
    void (*HSLINK_NULLABLE destroy)(const hslink_descriptor *HSLINK_NONNULL self, void *HSLINK_NULLABLE component);
    /* A table for the extension `id` ("hslink.NAME/REVISION"), or NULL. Constant for the process. */
    const void *HSLINK_NULLABLE (*HSLINK_NULLABLE get_extension)(const hslink_descriptor *HSLINK_NONNULL self,
                                                                hslink_string id);
};

/* The entry. It only hands out the descriptor: a host may call it and then refuse the component. */
typedef const hslink_descriptor *HSLINK_NULLABLE (*hslink_component_function)(void);

/* ---- The host --------------------------------------------------------------------------- */

/* hslink_request.flags */
enum {
    HSLINK_DETACH = 1, /* do not run the method on this thread: the answer may come from another */
    HSLINK_WAITS = 2   /* this thread sleeps until the reply; passed on as HSLINK_CALL_WAITS */
};

/* One call of a component. Borrowed by hslink_host.call until that returns. */
typedef struct hslink_request {
    uint32_t struct_size;
    uint32_t kind; /* HSLINK_OBJECT_METHOD or HSLINK_CLASS_METHOD */
    hslink_string class_name;
    hslink_string selector;
    hslink_object *HSLINK_NULLABLE object; /* not NULL: call this object, class_name and kind do not count */
    const hslink_value *HSLINK_NULLABLE payload; /* NULL: null. Copied by the host where it outlives the call */
    uint64_t deadline; /* nanoseconds of CLOCK_MONOTONIC; 0: none. With one, HSLINK_DETACH is implied */
    uint64_t flags;
} hslink_request;

/* Names a call that has begun, for cancel; a plain value. All zero: a call that needs no cancelling. */
typedef struct hslink_call_id {
    void *HSLINK_NULLABLE slot;
    uint64_t token;
} hslink_call_id;

/* hslink_host.log */
enum { HSLINK_LOG_DEBUG = 0, HSLINK_LOG_INFO = 1, HSLINK_LOG_WARNING = 2, HSLINK_LOG_ERROR = 3 };

/* What a component may ask of its host. One table for each component value; every function takes
 * the table itself first, and may be called from any thread. After destroy the table stays valid
 * while it is retained, and calls are answered with HSLINK_ERROR_STOPPED. */
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
     * component's own, so that destroy waits for it. 0: go on, and call leave on the same thread afterwards. HSLINK_LATE: the component was
     * stopped, answer HSLINK_ERROR_STOPPED, do not call leave. */
    int32_t (*HSLINK_NONNULL enter)(const hslink_host *HSLINK_NONNULL self);
    void (*HSLINK_NONNULL leave)(const hslink_host *HSLINK_NONNULL self);
    /* Writes a line to the host's log, under the component's name. */
    void (*HSLINK_NONNULL log)(const hslink_host *HSLINK_NONNULL self, int32_t level, hslink_string message);
    /* A table for the extension `id` ("hslink.NAME/REVISION"), or NULL. Valid as long as the table. There is
     * HSLINK_DATA, for a directory of the component's own. */
    const void *HSLINK_NULLABLE (*HSLINK_NONNULL get_extension)(const hslink_host *HSLINK_NONNULL self,
                                                               hslink_string id);
};

/* ---- Layout ----------------------------------------------------------------------------- */

HSLINK_ASSERT(sizeof(hslink_error) == 104 && offsetof(hslink_error, details) == 88, "hslink_error");
HSLINK_ASSERT(sizeof(hslink_failure) == 16, "hslink_failure");
HSLINK_ASSERT(sizeof(hslink_reply_ops) == 32 && offsetof(hslink_reply_ops, complete) == 8, "hslink_reply_ops");
HSLINK_ASSERT(sizeof(hslink_reply) == 24, "hslink_reply");
HSLINK_ASSERT(sizeof(hslink_call) == 64 && offsetof(hslink_call, deadline) == 32, "hslink_call");
HSLINK_ASSERT(sizeof(hslink_object_type) == 48 && offsetof(hslink_object_type, invoke) == 40, "hslink_object_type");
HSLINK_ASSERT(sizeof(hslink_object) == 8, "hslink_object");
HSLINK_ASSERT(sizeof(hslink_method) == 40 && offsetof(hslink_method, function) == 24, "hslink_method");
HSLINK_ASSERT(sizeof(hslink_class) == 56 && offsetof(hslink_class, make) == 40, "hslink_class");
HSLINK_ASSERT(sizeof(hslink_descriptor) == 88 && offsetof(hslink_descriptor, create) == 64, "hslink_descriptor");
HSLINK_ASSERT(sizeof(hslink_request) == 72 && offsetof(hslink_request, object) == 40, "hslink_request");
HSLINK_ASSERT(sizeof(hslink_call_id) == 16, "hslink_call_id");
HSLINK_ASSERT(sizeof(hslink_host) == 128 && offsetof(hslink_host, call) == 56, "hslink_host");

/* ---- Extensions, manifests, helpers ------------------------------------------------------------------ */

#include "hslink_data.h"
#include "hslink_manifest.h"
#include "hslink_helpers.h"

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
#ifdef __cplusplus
}
#endif
#endif /* HSLINK_H */
