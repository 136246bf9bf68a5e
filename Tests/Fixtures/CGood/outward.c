/* CGood: methods that call closures, and other classes through the host. */
#include "cgood.h"

#include <pthread.h>
#include <stdlib.h>

static const hslink_string closure_selector = {NULL, 0};

/* The context of a call that CGood makes on an object: the answer goes to `reply`. */
static hslink_call outgoing(hslink_reply reply, uint64_t deadline) {
    hslink_call call;
    memset(&call, 0, sizeof call);
    call.struct_size = sizeof call;
    call.reply = reply;
    call.deadline = deadline;
    call.caller = hslink_string_c("CGood");
    return call;
}

/* Calls payload "closure" with payload "argument"; the caller of this method receives its answer. */
GOOD_METHOD(good_apply) {
    const hslink_value *closure = hslink_map_get(payload, "closure");
    const hslink_value *argument = hslink_map_get(payload, "argument");
    const hslink_value nothing = hslink_null();
    const hslink_call inner = outgoing(call->reply, call->deadline);
    (void)context; (void)self;
    if (closure == NULL || closure->tag != HSLINK_OBJECT)
        return hslink_fail(call, HSLINK_ERROR_PAYLOAD, "closure: expected an object");
    return closure->as.object->type->invoke(closure->as.object, closure_selector,
                                            argument == NULL ? &nothing : argument, &inner);
}

/* Everything that the thread of applyLater needs, owned by it. */
typedef struct job {
    hslink_reply reply;
    uint64_t deadline;
    hslink_object *closure;
    hslink_value argument;
} job;

static void finish(job *done) {
    done->closure->type->release(done->closure);
    good_free(&done->argument);
    free(done);
}

static void *work(void *context) {
    job *todo = context;
    const hslink_call call = outgoing(todo->reply, todo->deadline);
    todo->closure->type->invoke(todo->closure, closure_selector, &todo->argument, &call);
    finish(todo);
    return NULL;
}

/* Like apply, but on a new thread after the method has returned. */
GOOD_METHOD(good_apply_later) {
    const hslink_value *closure = hslink_map_get(payload, "closure");
    const hslink_value *argument = hslink_map_get(payload, "argument");
    pthread_t thread;
    job *todo;
    (void)context; (void)self;
    if (closure == NULL || closure->tag != HSLINK_OBJECT)
        return hslink_fail(call, HSLINK_ERROR_PAYLOAD, "closure: expected an object");
    todo = calloc(1, sizeof *todo); /* the argument begins as null: its tag is 0 */
    if (todo == NULL) return hslink_fail(call, HSLINK_ERROR_FAILED, "no memory for a job");
    todo->reply = call->reply;
    todo->deadline = call->deadline;
    todo->closure = closure->as.object;
    todo->closure->type->retain(todo->closure);
    if (argument != NULL && good_copy(argument, &todo->argument) != 0) {
        finish(todo);
        return hslink_fail(call, HSLINK_ERROR_PAYLOAD, "argument: could not be copied");
    }
    if (pthread_create(&thread, NULL, work, todo) != 0) {
        finish(todo);
        return hslink_fail(call, HSLINK_ERROR_FAILED, "no thread for a job");
    }
    pthread_detach(thread);
    return HSLINK_LATER;
}

static hslink_string text_of(const hslink_value *map, const char *key) {
    const hslink_value *value = hslink_map_get(map, key);
    if (value == NULL || value->tag != HSLINK_STRING) return hslink_string_make(NULL, 0);
    return hslink_string_make(value->as.utf8, value->length);
}

/* Payload "kind": "object" asks for an object method, anything else for a class method. */
static uint32_t kind_of(const hslink_value *payload) {
    return hslink_string_equals(text_of(payload, "kind"), "object") ? HSLINK_OBJECT_METHOD : HSLINK_CLASS_METHOD;
}

/* Calls payload "class", "selector", "kind" with payload "payload" through the host. */
GOOD_METHOD(good_via_host) {
    const good_state *state = call->component;
    hslink_request request;
    (void)context; (void)self;
    memset(&request, 0, sizeof request);
    request.struct_size = sizeof request;
    request.kind = kind_of(payload);
    request.class_name = text_of(payload, "class");
    request.selector = text_of(payload, "selector");
    request.payload = hslink_map_get(payload, "payload");
    request.deadline = call->deadline;
    return state->host->call(state->host, &request, call->reply, NULL);
}

/* Passes on why a method could not be bound; `context` is the call to answer. */
static void refuse(void *context, const hslink_error *error) {
    const hslink_call *call = context;
    call->reply.ops->complete(call->reply.slot, call->reply.token, NULL, error);
}

/* Like viaHost, with a method that is bound first. */
GOOD_METHOD(good_via_bound) {
    const good_state *state = call->component;
    const hslink_failure failure = {refuse, (void *)call};
    const hslink_value *argument = hslink_map_get(payload, "payload");
    const hslink_value nothing = hslink_null();
    const hslink_call inner = outgoing(call->reply, call->deadline);
    hslink_object *bound = NULL;
    int32_t result;
    (void)context; (void)self;
    if (state->host->bind(state->host, text_of(payload, "class"), text_of(payload, "selector"), kind_of(payload),
                          &bound, &failure) != 0)
        return HSLINK_REPLIED;
    result = bound->type->invoke(bound, closure_selector, argument == NULL ? &nothing : argument, &inner);
    bound->type->release(bound);
    return result;
}

static hslink_value value_of(hslink_string string) { return hslink_utf8(string.utf8, (uint32_t)string.length); }

/* Returns the host's information about payload "class", "selector", "kind", and about CGood itself. */
GOOD_METHOD(good_ask) {
    const good_state *state = call->component;
    const hslink_host *host = state->host;
    const hslink_string name = text_of(payload, "class");
    const int32_t available = host->is_available(host, name, text_of(payload, "selector"), kind_of(payload));
    const hslink_entry entries[] = {
        hslink_entry_make("available", hslink_bool(available)),
        hslink_entry_make("loaded", hslink_bool(host->is_loaded(host, name))),
        hslink_entry_make("component", value_of(host->component)),
        hslink_entry_make("directory", value_of(host->directory)),
    };
    (void)context; (void)self;
    host->log(host, HSLINK_LOG_DEBUG, hslink_string_c("CGood was asked"));
    return hslink_return(call, hslink_map(entries, 4));
}
