/* CGood: instances, which count their calls and travel as objects. */
#include "cgood.h"

#include <stdlib.h>

typedef struct instance {
    hslink_object object; /* first: the host and other components see only this */
    atomic_long references;
    atomic_llong count;
    good_state *state;
} instance;

hslink_object *good_instance(const hslink_object_type *type, good_state *state) {
    instance *made = calloc(1, sizeof *made);
    if (made == NULL) return NULL;
    made->object.type = type;
    atomic_init(&made->references, 1);
    made->state = good_retain(state);
    atomic_fetch_add(&state->instances, 1);
    return &made->object;
}

int32_t good_make(void *context, void *component, hslink_object **made, const hslink_failure *failure) {
    *made = good_instance(context, component);
    if (*made == NULL) {
        hslink_error error = hslink_error_make(HSLINK_ERROR_FAILED, "no memory for an instance");
        failure->report(failure->context, &error);
        return 1;
    }
    return 0;
}

static void retain(hslink_object *self) { atomic_fetch_add(&((instance *)self)->references, 1); }

static void release(hslink_object *self) {
    instance *instance_ = (instance *)self;
    if (atomic_fetch_sub(&instance_->references, 1) != 1) return;
    atomic_fetch_sub(&instance_->state->instances, 1);
    good_release(instance_->state);
    free(instance_);
}

GOOD_METHOD(good_count) {
    (void)context; (void)payload;
    return hslink_return(call, hslink_int(atomic_fetch_add(&((instance *)self)->count, 1) + 1));
}

GOOD_METHOD(good_kind) {
    (void)context; (void)payload;
    return hslink_return(call, hslink_text(self == NULL ? "class" : "object"));
}

/* The method behind a selector of an instance that travels, or NULL. */
static hslink_method_function find(const hslink_object_type *type, hslink_string selector) {
    if (type == &good_counter_type) return hslink_string_equals(selector, "increment") ? good_count : NULL;
    if (hslink_string_equals(selector, "count")) return good_count;
    return hslink_string_equals(selector, "kind") ? good_kind : NULL;
}

static int32_t invoke(hslink_object *self, hslink_string selector, const hslink_value *payload,
                      const hslink_call *call) {
    const hslink_host *host = ((instance *)self)->state->host;
    hslink_method_function method = find(self->type, selector);
    int32_t result;
    if (method == NULL) return hslink_fail(call, HSLINK_ERROR_SELECTOR_NOT_FOUND, "the object has no such selector");
    if (host->enter(host) != HSLINK_OK) return hslink_fail(call, HSLINK_ERROR_STOPPED, "CGood has been stopped");
    result = method(NULL, self, payload, call);
    host->leave(host);
    return result;
}

const hslink_object_type good_link_type = HSLINK_OBJECT_TYPE("CGoodLink", retain, release, invoke, NULL);
const hslink_object_type good_counter_type = HSLINK_OBJECT_TYPE("CGoodCounter", retain, release, invoke, NULL);
