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
 *              Later and second replies are counted and have no effect. Not from a signal handler: like
 *              all functions here, `complete` takes locks and allocates memory.
 *   Threads    A method may be called from several threads at once. A function of this header may
 *              be called from any thread unless its comment says otherwise. A thread that calls has a
 *              stack of at least 64 KB.
 *   Unwinding  Nothing unwinds across the boundary. A component catches its C++ exceptions, Rust
 *              panics and longjmps before it returns; one that escapes is undefined behaviour.
 *   Growth     The major number changes when an old reader would misread. Within a major number
 *              structs grow at their end only. Every struct that may grow carries its size: first of
 *              all, in a descriptor behind the magic, for a method as hslink_class.method_stride. A
 *              reader requires the size of ABI 1.0 (HSLINK_..._SIZE_1_0), never its own sizeof, and
 *              reads what came later only where HSLINK_HAS(pointer, member) is 1. Structs that are
 *              marked "never grows" have no size. Names that begin with hslink_ and HSLINK_ belong to
 *              this project.
 *   Unknown    Flag bits that a reader does not know are ignored, in methods, requests and calls. A
 *              method of an unknown kind is left out of its class; a request of an unknown kind is
 *              refused, and so is a component with a class of unknown `instances`. Notes of unknown
 *              types and unknown keys of a manifest are skipped. Error codes of a later revision are
 *              passed on; log lines of an unknown level count as HSLINK_LOG_INFO.
 *   Lengths    A name (component, class, selector, domain, extension, caller) has at most
 *              HSLINK_NAME_BYTES, a message or log line at most HSLINK_MESSAGE_BYTES. A longer one, and
 *              one that is NULL with a length, is not read: calls and descriptors with such a name are
 *              refused, in an error such a name of a class, selector or component counts as empty, and
 *              for all other texts "(a text of N bytes)" is shown.
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
#include "hslink_layout.h"

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
    HSLINK_ERROR_WOULD_DEADLOCK = 13,    /* the call would wait for itself */
    HSLINK_ERROR_TOO_DEEP = 14           /* calls inside calls beyond what a host allows; the message shows the way */
};

/* Why a call failed. The struct and all it points to are borrowed until the function that it is
 * passed to returns. `class_name`, `selector` and `component` are filled in by the host where a
 * component leaves them empty. Of `details` a reader keeps what has at most 32 levels, 65,536 values and
 * 1 MB, else nothing; of a chain of causes the first eight. */
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

/* Where create and make report why they fail. Lives for that call only; the last report counts. Never grows. */
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
 * in another way. Runs on the thread that ends the call, which may be one of the host's, with no lock
 * held; must not block. It may run before on_cancel has returned: what it needs is in place before. */
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
 * one call of it only. Never grows. */
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
 * returns. The caller of an object builds this itself: struct_size, flags, a reply of its own, deadline or 0,
 * its component's name as caller, component NULL, and what the call carries along. */
struct hslink_call {
    uint32_t struct_size;
    uint32_t flags; /* HSLINK_CALL_WAITS or 0 */
    hslink_reply reply;
    uint64_t deadline;    /* nanoseconds of CLOCK_MONOTONIC; 0: none */
    hslink_string caller; /* name of the component that calls; empty: the host's own code */
    void *HSLINK_NULLABLE component; /* what the callee's create made; NULL in calls on objects */
    /* What the call carries along, beside its payload: a HSLINK_MAP of HSLINK_STRING values (the `traceparent`
     * of W3C, a session, a tenant), borrowed like the payload; NULL for nothing. At most HSLINK_CARRIED_ENTRIES
     * and HSLINK_CARRIED_BYTES. Calls that the method makes on this thread carry it too, unless they say
     * otherwise; a method that goes on elsewhere copies it and passes it itself, as hslink_request.carried. */
    const hslink_value *HSLINK_NULLABLE carried;
};

/* Limits of what a call carries along. A request beyond them, or with values of another type, is answered
 * with HSLINK_ERROR_PAYLOAD. */
enum {
    HSLINK_CARRIED_ENTRIES = 64,
    HSLINK_CARRIED_BYTES = 8192 /* of all keys and values together */
};

/* ---- Objects ---------------------------------------------------------------------------- */

/* What an object can do; constant, valid for the life of the process. All functions may be called
 * from any thread, and also after destroy of the component that made the object: others may hold it longer.
 * retain and release work then as before, invoke answers HSLINK_ERROR_STOPPED. */
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
    /* A table for the extension `id`, or NULL; the same at every call, valid for the life of the process. There
     * is HSLINK_OWNER, the component that an object belongs to. */
    const void *HSLINK_NULLABLE (*HSLINK_NULLABLE get_extension)(const hslink_object_type *HSLINK_NONNULL self,
                                                                hslink_string id);
};

/* An instance, a closure, a stream, a big buffer: anything that travels by reference. This is the
 * first member of the author's own struct. Never grows. */
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

/* hslink_method.flags; others are ignored */
enum {
    HSLINK_METHOD_QUICK = 1, /* never blocks, and takes microseconds: every caller may run it in place, also one that
                              * suspends or has a deadline */
    HSLINK_METHOD_MAIN = 2,  /* does its work on the main thread: nobody on the main thread waits for it */
    HSLINK_METHOD_ASYNC = 4  /* with HSLINK_METHOD_QUICK: replies later, and may compute for long before it returns, so
                              * that calls with a deadline run it on a thread of the host */
};

/* One row of a class's table; rows are hslink_class.method_stride bytes apart. */
typedef struct hslink_method {
    hslink_string name;
    uint32_t kind;
    uint32_t flags;
    hslink_method_function HSLINK_NONNULL function;
    void *HSLINK_NULLABLE context; /* passed back as it is; lives as long as the descriptor */
} hslink_method;

/* hslink_class.instances: how the host keeps instances for object methods. Any other number is refused. */
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
    /* Makes the component value for one host; called once a host, on the thread of the first call, and again
     * when a host tries once more after a failure. `host` is valid until destroy, and beyond it while retained.
     * It may call back into the host. `*component` is NULL before. Returns 0, or anything else after a report
     * to `failure`. Then destroy is not called, and `host` stays valid until the host has ended, and beyond
     * while retained; every call through it answers HSLINK_ERROR_STOPPED.
     * NULL: nothing to do, the component value is NULL. */
    int32_t (*HSLINK_NULLABLE create)(const hslink_descriptor *HSLINK_NONNULL self,
                                      const hslink_host *HSLINK_NONNULL host,
                                      void *HSLINK_NULLABLE *HSLINK_NONNULL component,
                                      const hslink_failure *HSLINK_NONNULL failure);
    /* Ends the component value. Called once, on the thread that stops the host, or on the one that called create where
     * the host has stopped before create returned; never on one inside the component; after the last method has returned, the last work has ended, and the instances that the host
     * keeps have been released. Not at all when a method never returns. Objects that others still hold are
     * released later, so what release and invoke need must outlive this. */
    void (*HSLINK_NULLABLE destroy)(const hslink_descriptor *HSLINK_NONNULL self, void *HSLINK_NULLABLE component);
    /* A table for the extension `id` ("hslink.NAME/REVISION"), or NULL. A host may ask at any time after
     * hslink_component has returned, on any thread, also before create and after destroy, as often as it
     * likes; the answer never changes and is valid for the life of the process. There is HSLINK_STOPPING. */
    const void *HSLINK_NULLABLE (*HSLINK_NULLABLE get_extension)(const hslink_descriptor *HSLINK_NONNULL self,
                                                                hslink_string id);
};

/* The entry. It only hands out the descriptor: a host may call it and then refuse the component. */
typedef const hslink_descriptor *HSLINK_NULLABLE (*hslink_component_function)(void);

HSLINK_ENDS(hslink_error, cause, HSLINK_ERROR_SIZE_1_0);
HSLINK_ENDS(hslink_reply_ops, on_cancel, HSLINK_REPLY_OPS_SIZE_1_0);
HSLINK_ENDS(hslink_call, carried, HSLINK_CALL_SIZE_1_0);
HSLINK_ENDS(hslink_object_type, get_extension, HSLINK_OBJECT_TYPE_SIZE_1_0);
HSLINK_ENDS(hslink_method, context, HSLINK_METHOD_SIZE_1_0);
HSLINK_ENDS(hslink_class, context, HSLINK_CLASS_SIZE_1_0);
HSLINK_ENDS(hslink_descriptor, get_extension, HSLINK_DESCRIPTOR_SIZE_1_0);
HSLINK_ASSERT(sizeof(hslink_failure) == 16, "hslink_failure never grows");
HSLINK_ASSERT(sizeof(hslink_reply) == 24, "hslink_reply never grows");
HSLINK_ASSERT(sizeof(hslink_object) == 8, "hslink_object never grows");

/* ---- The host, extensions, manifests, helpers --------------------------------------------------------- */

#include "hslink_host.h"
#include "hslink_extensions.h"
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
