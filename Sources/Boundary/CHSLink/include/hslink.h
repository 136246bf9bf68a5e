/*
 * hslink.h - the boundary between a host and its components, ABI 1.0
 *
 * A component is one shared object (.so). It exports one function, hslink_component(), which
 * returns a constant descriptor. Its manifest is in ELF notes, which a host reads without
 * running any code. Both sides communicate only through the structs in this file: no C++, Rust
 * or Swift value crosses the boundary. This header is all that a component in C needs:
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
 * Rules for every function here
 *
 *   Memory     An argument is borrowed until the function that received it returns. Neither side
 *              frees the other side's memory. To keep a value, copy it; to keep an object, retain it.
 *              A payload is borrowed until the method returns: the host keeps it alive until then,
 *              even if the call has already ended for its caller.
 *   Reply      A method is answered exactly once, from any thread, through the reply of its call. A
 *              late or second reply is counted and has no effect. Do not reply from a signal handler:
 *              like all functions here, `complete` takes locks and allocates memory.
 *   Threads    A method may be called from several threads at once. A function of this header may
 *              be called from any thread unless its comment says otherwise. A calling thread must
 *              have a stack of at least 64 KB.
 *   Unwinding  Nothing unwinds across the boundary. A component catches its C++ exceptions, Rust
 *              panics and longjmps before it returns; letting one escape is undefined behaviour.
 *   Growth     The major number changes when an old reader would misread the data. Within a major
 *              number, structs grow only at their end. Every struct that may grow carries its size: as
 *              its first member, after the magic in a descriptor, and for methods in
 *              hslink_class.method_stride. A reader requires the size of ABI 1.0 (HSLINK_..._SIZE_1_0),
 *              never its own sizeof, and reads a later member only if HSLINK_HAS(pointer, member) is 1.
 *              Structs marked "never grows" have no size. Names that begin with hslink_ and HSLINK_
 *              are reserved for this project.
 *   Unknown    Unknown flag bits in methods, requests and calls are ignored. A method of an unknown
 *              kind is left out of its class. A request of an unknown kind is refused, and so is a
 *              component with a class whose `instances` is unknown. Notes of unknown types are skipped; for
 *              unknown keys in a manifest see hslink_manifest.h. Error codes from a later revision are
 *              passed on. Log lines with an unknown level count as HSLINK_LOG_INFO.
 *   Lengths    A name (component, class, selector, domain, extension, caller) has at most
 *              HSLINK_NAME_BYTES, a message or log line at most HSLINK_MESSAGE_BYTES. A longer string is
 *              not read, and neither is NULL with a length. Calls and descriptors with such a name are
 *              refused. In an error, such a class, selector or component counts as empty. Any other
 *              such string is shown as "(a string of N bytes)".
 *   Code       An opened component is never unmapped, so a pointer to its code or constants stays
 *              valid for the life of the process.
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

/* The first member of every descriptor: the bytes "HSLINK\r\n" in memory order. */
#define HSLINK_MAGIC UINT64_C(0x0A0D4B4E494C5348)

#include "hslink_values.h"
#include "hslink_layout.h"

typedef struct hslink_call hslink_call;
typedef struct hslink_host hslink_host;
typedef struct hslink_error hslink_error;

/* ---- Errors ----------------------------------------------------------------------------- */

/* The codes of the domain "", which is HSLink's own. Other domains define their own codes. */
enum {
    HSLINK_ERROR_CLASS_NOT_FOUND = 1,    /* no component has the class */
    HSLINK_ERROR_SELECTOR_NOT_FOUND = 2, /* the class exists but has no selector with that name and kind */
    HSLINK_ERROR_NOT_LOADED = 3,         /* the component exists but could not be loaded; see `cause` */
    HSLINK_ERROR_STOPPED = 4,            /* the component or the host has been stopped */
    HSLINK_ERROR_PAYLOAD = 5,            /* the payload does not match what the method expects */
    HSLINK_ERROR_FAILED = 6,             /* the method itself reported a failure */
    HSLINK_ERROR_DEADLINE = 7,           /* the deadline passed before the reply */
    HSLINK_ERROR_CANCELLED = 8,          /* the caller cancelled the call, or the host stopped */
    HSLINK_ERROR_STUCK = 9,              /* too many threads still run in the component after their calls ended */
    HSLINK_ERROR_NO_REPLY = 10,          /* the method returned HSLINK_REPLIED without replying */
    HSLINK_ERROR_DROPPED = 11,           /* the reply was released without being answered */
    HSLINK_ERROR_INVALID_REPLY = 12,     /* the reply is not a valid value */
    HSLINK_ERROR_WOULD_DEADLOCK = 13,    /* the call would wait for itself */
    HSLINK_ERROR_TOO_DEEP = 14,          /* calls are nested too deep; the message lists the chain of calls */
    HSLINK_ERROR_ROUTE_NOT_FOUND = 15,   /* no route matches the URL, or none that its source may open */
    HSLINK_ERROR_ROUTE_DECLINED = 16,    /* the method declines the URL, so the next best route is tried */
    HSLINK_ERROR_ROUTE_REFUSED = 17      /* an interceptor refused to open the route */
};

/* Why a call failed. The struct and everything it points to are borrowed until the function that
 * received it returns. The host fills in `class_name`, `selector` and `component` if a component
 * leaves them empty. A reader drops `details` with more than 32 levels, 65,536 values or 1 MB, and
 * keeps the first eight causes of a chain. */
struct hslink_error {
    uint32_t struct_size;
    int32_t code;
    hslink_string domain;  /* "" for the codes above, else the reverse-DNS or component name of its author */
    hslink_string message; /* a human-readable sentence, with advice if there is any */
    hslink_string class_name;
    hslink_string selector;
    hslink_string component;
    const hslink_value *HSLINK_NULLABLE details; /* more information, machine-readable */
    const hslink_error *HSLINK_NULLABLE cause;   /* the error that led to this one */
};

/* The sink to which create and make report an error. Valid for that call only; the last report counts. Never grows. */
typedef struct hslink_failure {
    void (*HSLINK_NONNULL report)(void *HSLINK_NULLABLE context, const hslink_error *HSLINK_NONNULL error);
    void *HSLINK_NULLABLE context;
} hslink_failure;

/* ---- Replies ---------------------------------------------------------------------------- */

/* Return values of methods. Any other number counts as HSLINK_REPLIED. */
enum {
    HSLINK_REPLIED = 0, /* the method has replied */
    HSLINK_LATER = 1    /* the method replies later, from any thread; until then only the deadline, cancellation
                         * or the host's stop can end the call */
};

/* Return values of complete, is_cancelled and on_cancel. */
enum {
    HSLINK_OK = 0,
    HSLINK_LATE = 1 /* the call has ended: it was answered, was cancelled or ran out of time */
};

/* Called exactly once for each successful on_cancel, so it can free `context`. `cancelled` is 1 if
 * the call was cancelled, ran out of time or was ended by the host's stop, and 0 if it ended in any
 * other way. Runs on the thread that ends the call, perhaps one of the host's, with no lock held;
 * must not block. It may run before on_cancel returns, so set up `context` first. */
typedef void (*hslink_cancel_handler)(void *HSLINK_NULLABLE context, int32_t cancelled);

/* The functions of a reply. Constant, valid for the life of the process, callable from any thread. */
typedef struct hslink_reply_ops {
    uint32_t struct_size;
    uint32_t reserved;
    /* Answers the call: with `error` if that is not NULL, else with `value` (NULL means null). When
     * this returns, the receiver has copied both and retained the objects in `value`.
     * The receiver's code may run within it, on the thread that answers, so never call it with a lock held.
     * A receiver that blocks delays the thread that answers: be brief, or continue on another thread.
     * HSLINK_LATE: the call had already ended; the reply was counted and had no other effect. */
    int32_t (*HSLINK_NONNULL complete)(void *HSLINK_NULLABLE slot, uint64_t token,
                                       const hslink_value *HSLINK_NULLABLE value,
                                       const hslink_error *HSLINK_NULLABLE error);
    /* HSLINK_LATE if the call has ended, for whatever reason. Long-running methods should poll this. */
    int32_t (*HSLINK_NONNULL is_cancelled)(void *HSLINK_NULLABLE slot, uint64_t token);
    /* Registers a handler for the end of the call. A call has one handler: a new one replaces the
     * previous one, which is called with 0. HSLINK_LATE: the call has ended; `handler` is not kept. */
    int32_t (*HSLINK_NONNULL on_cancel)(void *HSLINK_NULLABLE slot, uint64_t token,
                                        hslink_cancel_handler HSLINK_NONNULL handler,
                                        void *HSLINK_NULLABLE context);
} hslink_reply_ops;

/* A plain value that may be copied and kept forever: `slot` is never unmapped, and `token`
 * identifies a single call in that slot. Never grows. */
typedef struct hslink_reply {
    const hslink_reply_ops *HSLINK_NONNULL ops;
    void *HSLINK_NULLABLE slot;
    uint64_t token;
} hslink_reply;

/* hslink_call.flags */
enum {
    HSLINK_CALL_WAITS = 1 /* the calling thread sleeps until the reply; a method that needs that same thread
                             (HSLINK_METHOD_MAIN) answers HSLINK_ERROR_WOULD_DEADLOCK */
};

/* The context of one call, borrowed until the method returns; `reply` may be copied and kept. A method
 * may forward its `reply` to hslink_host.call or to an object's invoke, and return the result of that.
 * Call objects through hslink_host.call, with hslink_request.object: then the call is counted, limited in depth,
 * ended with the host and carries context as any call does. A function that calls an object's `invoke` itself builds
 * this struct, with struct_size, flags, its own reply, a deadline or 0, its component's name as `caller`, NULL as
 * `component`, and `carried`; the host then knows nothing of the call. */
struct hslink_call {
    uint32_t struct_size;
    uint32_t flags; /* HSLINK_CALL_WAITS or 0 */
    hslink_reply reply;
    uint64_t deadline;    /* nanoseconds of CLOCK_MONOTONIC; 0: none */
    hslink_string caller; /* name of the calling component; empty: the host's own code */
    void *HSLINK_NULLABLE component; /* the component value that the callee's create made; NULL in calls to objects */
    /* Context that travels with the call in addition to its payload: an HSLINK_MAP of HSLINK_STRING values (the
     * W3C `traceparent`, a session, a tenant), borrowed like the payload; NULL for none. At most
     * HSLINK_CARRIED_ENTRIES and HSLINK_CARRIED_BYTES. Calls that the method makes on this thread inherit it unless
     * they set their own; an empty map carries nothing. So do calls that are made in the `complete` function of a reply
     * and in a handler of on_cancel: they inherit what the code that made the call or registered the handler carried,
     * not what the answering or cancelling thread carries. A method that continues on another thread copies it and sets
     * hslink_request.carried. The handler of an event carries what its poster carried. `create`, `make` of an instance
     * that is shared or that one consumer has, `stopping` and `destroy` run with nothing carried. */
    const hslink_value *HSLINK_NULLABLE carried;
};

/* Limits of hslink_call.carried. A request that exceeds them, or whose values are not strings, is answered with
 * HSLINK_ERROR_PAYLOAD. */
enum {
    HSLINK_CARRIED_ENTRIES = 64,
    HSLINK_CARRIED_BYTES = 8192 /* all keys and values together */
};

/* ---- Objects ---------------------------------------------------------------------------- */

/* The functions of an object. Constant, valid for the life of the process. They may be called from any
 * thread, even after the component that made the object was destroyed, since others may still hold it.
 * After destroy, retain and release work as before, and invoke answers HSLINK_ERROR_STOPPED. */
struct hslink_object_type {
    uint32_t struct_size;
    uint32_t reserved;
    hslink_string name; /* the name of the class, for messages; "closure" for closures */
    void (*HSLINK_NONNULL retain)(hslink_object *HSLINK_NONNULL self);
    /* May run an author's code, such as a destructor: never call it while holding a lock. */
    void (*HSLINK_NONNULL release)(hslink_object *HSLINK_NONNULL self);
    /* Calls a method of the object, under the rules of hslink_method_function. The caller holds a
     * reference until it returns. The empty selector calls a closure. Unknown selectors are
     * answered with HSLINK_ERROR_SELECTOR_NOT_FOUND, calls after stop with HSLINK_ERROR_STOPPED. */
    int32_t (*HSLINK_NONNULL invoke)(hslink_object *HSLINK_NONNULL self, hslink_string selector,
                                     const hslink_value *HSLINK_NONNULL payload,
                                     const hslink_call *HSLINK_NONNULL call);
    /* Returns the table of the extension `id`, or NULL. The result never changes and is valid for the life of the
     * process. HSLINK_OWNER identifies the component that an object belongs to. */
    const void *HSLINK_NULLABLE (*HSLINK_NULLABLE get_extension)(const hslink_object_type *HSLINK_NONNULL self,
                                                                hslink_string id);
};

/* Anything that travels by reference: an instance, a closure, a stream, a large buffer. Make this the
 * first member of your own struct. Never grows. */
struct hslink_object {
    const hslink_object_type *HSLINK_NONNULL type;
};

/* ---- Components ------------------------------------------------------------------------- */

/* A method. `self` is the instance (NULL for class methods); the host holds it until the method
 * returns, and a method that answers later retains what it needs. `payload` is never NULL. The host checks
 * payloads that pass through hslink_host.call (depth, size, UTF-8, unique keys). It does not check those that
 * another component passes to a bound call or directly to an object.
 * Returns HSLINK_REPLIED or HSLINK_LATER. May run on any thread, and on several at once. */
typedef int32_t (*hslink_method_function)(void *HSLINK_NULLABLE context, hslink_object *HSLINK_NULLABLE self,
                                          const hslink_value *HSLINK_NONNULL payload,
                                          const hslink_call *HSLINK_NONNULL call);

/* hslink_method.kind, hslink_request.kind. A class may have two methods with the same name, one of each kind. */
enum { HSLINK_OBJECT_METHOD = 0, HSLINK_CLASS_METHOD = 1 };

/* hslink_method.flags; others are ignored */
enum {
    HSLINK_METHOD_QUICK = 1, /* never blocks and takes microseconds: every caller may run it on its own thread, even
                              * one that suspends or has a deadline */
    HSLINK_METHOD_MAIN = 2,  /* does its work on the main thread; code on the main thread must not wait for it */
    HSLINK_METHOD_ASYNC = 4  /* with HSLINK_METHOD_QUICK: replies later but may compute for a long time before it
                              * returns, so calls with a deadline run it on a host thread */
};

/* One row of a class's table; rows are hslink_class.method_stride bytes apart. */
typedef struct hslink_method {
    hslink_string name;
    uint32_t kind;
    uint32_t flags;
    hslink_method_function HSLINK_NONNULL function;
    void *HSLINK_NULLABLE context; /* passed to `function` unchanged; lives as long as the descriptor */
} hslink_method;

/* hslink_class.instances: how the host keeps instances for object methods. Any other number is refused. */
enum {
    HSLINK_SHARED = 0,      /* one for each component value, made at the first object call, and again at the next one
                             * if the host has released it meanwhile */
    HSLINK_PER_CALL = 1,    /* one for each call, released when the method has returned */
    HSLINK_PER_CONSUMER = 2 /* one for each calling component and one for the host's own code, each made at the
                             * consumer's first object call and released before destroy */
};

typedef struct hslink_class {
    uint32_t struct_size;
    uint32_t instances;
    hslink_string name;
    const hslink_method *HSLINK_NULLABLE methods;
    uint32_t method_count;
    uint32_t method_stride; /* sizeof(hslink_method) when the component was compiled */
    /* Makes an instance with one reference, which the host releases. NULL if the class has only class
     * methods. Returns 0, or any other number after a report to `failure`. For a shared class it is called
     * once for each component value, by one thread; for a class per consumer, once for each consumer. It is
     * called again after a failure, and after the host has released the last instance, in which threads may still
     * be running methods. `*instance` is initially NULL; returning 0 without an instance counts as a failure. May
     * call back into the host. */
    int32_t (*HSLINK_NULLABLE make)(void *HSLINK_NULLABLE context, void *HSLINK_NULLABLE component,
                                    hslink_object *HSLINK_NULLABLE *HSLINK_NONNULL instance,
                                    const hslink_failure *HSLINK_NONNULL failure);
    void *HSLINK_NULLABLE context;
} hslink_class;

/* The result of hslink_component(): constant, the same for every call, valid for the life of the process. */
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
    /* Makes the component value for one host. Called once for each host, on the thread of the first call, and
     * again if the host retries after a failure. `host` is valid until destroy, and longer while it is retained.
     * May call back into the host. `*component` is initially NULL. Returns 0, or any other number after a report
     * to `failure`. After a failure destroy is not called, and `host` stays valid until the host has ended, and
     * longer while it is retained; every call through it is answered with HSLINK_ERROR_STOPPED.
     * If this is NULL, the component value is NULL. */
    int32_t (*HSLINK_NULLABLE create)(const hslink_descriptor *HSLINK_NONNULL self,
                                      const hslink_host *HSLINK_NONNULL host,
                                      void *HSLINK_NULLABLE *HSLINK_NONNULL component,
                                      const hslink_failure *HSLINK_NONNULL failure);
    /* Destroys the component value. Called once, after the last method has returned, the last work has ended, and
     * the host has released its instances; not at all if a method never returns. Runs on the thread that stops the
     * host, or on the one that called create if the host stopped before create returned, but never on a thread that
     * is executing code of the component. Objects that others still hold are released later, so whatever their
     * release and invoke need must outlive this. */
    void (*HSLINK_NULLABLE destroy)(const hslink_descriptor *HSLINK_NONNULL self, void *HSLINK_NULLABLE component);
    /* Returns the table of the extension `id` ("hslink.NAME/REVISION"), such as HSLINK_STOPPING, or NULL. A host may
     * call this any number of times, on any thread, at any time after hslink_component has returned, even before
     * create and after destroy. The result never changes and is valid for the life of the process. */
    const void *HSLINK_NULLABLE (*HSLINK_NULLABLE get_extension)(const hslink_descriptor *HSLINK_NONNULL self,
                                                                hslink_string id);
};

/* The entry point. It only returns the descriptor: a host may call it and then refuse the component. */
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
#include "hslink_resources.h"
#include "hslink_configuration.h"
#include "hslink_manifest.h"
#include "hslink_helpers.h"

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
#ifdef __cplusplus
}
#endif
#endif /* HSLINK_H */
