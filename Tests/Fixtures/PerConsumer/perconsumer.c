/* PerConsumer: an instance for each consumer. `count` counts the calls of its instance, `made` and `live` all instances. */
#include "pause.h"
#include "hslink.h"

#include <stdatomic.h>
#include <stdlib.h>

HSLINK_MANIFEST("{\"name\": \"PerConsumer\", \"version\": \"1.0.0\", \"classes\": ["
                "{\"name\": \"PerConsumerLink\", \"instances\": \"perConsumer\", \"selectors\": ["
                "{\"name\": \"count\"}, {\"name\": \"itself\"}, {\"name\": \"made\", \"kind\": \"class\"},"
                "{\"name\": \"live\", \"kind\": \"class\"}]}], "
                "\"models\": [{\"name\": \"Kind\", \"raw\": \"String\", "
                "\"cases\": {\"first\": \"first\", \"second\": \"2nd\", \"third\": {}}}]}")

typedef struct state {
    const hslink_host *host;
    atomic_long made, live;
    atomic_long references; /* of the component value and of each instance */
} state;

typedef struct instance {
    hslink_object object; /* first: the host sees only this */
    atomic_long references, count;
    state *owner;
} instance;

/* Instances that are still referenced call enter of the host, so its table lives as long as they do. */
static void let_go(state *owner) {
    if (atomic_fetch_sub(&owner->references, 1) != 1) return;
    owner->host->release(owner->host);
    free(owner);
}

static void retain(hslink_object *self) { atomic_fetch_add(&((instance *)self)->references, 1); }

static void release(hslink_object *self) {
    instance *instance_ = (instance *)self;
    if (atomic_fetch_sub(&instance_->references, 1) != 1) return;
    atomic_fetch_sub(&instance_->owner->live, 1);
    let_go(instance_->owner);
    free(instance_);
}

static int32_t count(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    (void)context; (void)payload;
    return hslink_return(call, hslink_int(atomic_fetch_add(&((instance *)self)->count, 1) + 1));
}

/* The instance as an object: calls to it go to this instance, whichever component makes them. */
static int32_t itself(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    hslink_value value = hslink_null();
    (void)context; (void)payload;
    value.tag = HSLINK_OBJECT;
    value.as.object = self;
    return hslink_return(call, value);
}

static int32_t made(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    (void)context; (void)self; (void)payload;
    return hslink_return(call, hslink_int(atomic_load(&((state *)call->component)->made)));
}

static int32_t live(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    (void)context; (void)self; (void)payload;
    return hslink_return(call, hslink_int(atomic_load(&((state *)call->component)->live)));
}

static int32_t invoke(hslink_object *self, hslink_string selector, const hslink_value *payload,
                      const hslink_call *call) {
    const hslink_host *host = ((instance *)self)->owner->host;
    int32_t result;
    if (!hslink_string_equals(selector, "count")) {
        return hslink_fail(call, HSLINK_ERROR_SELECTOR_NOT_FOUND, "the object has no such selector");
    }
    if (host->enter(host) != HSLINK_OK) return hslink_fail(call, HSLINK_ERROR_STOPPED, "PerConsumer has been stopped");
    result = count(NULL, self, payload, call);
    host->leave(host);
    return result;
}

static const hslink_object_type type = HSLINK_OBJECT_TYPE("PerConsumerLink", retain, release, invoke, NULL);

/* Takes a while, so that other threads arrive meanwhile. */
static int32_t make(void *context, void *component, hslink_object **result, const hslink_failure *failure) {
    instance *instance_ = calloc(1, sizeof *instance_);
    (void)context; (void)failure;
    if (instance_ == NULL) return 1;
    pause_for(0.02);
    instance_->object.type = &type;
    atomic_init(&instance_->references, 1);
    instance_->owner = component;
    atomic_fetch_add(&instance_->owner->references, 1);
    atomic_fetch_add(&instance_->owner->made, 1);
    atomic_fetch_add(&instance_->owner->live, 1);
    *result = &instance_->object;
    return 0;
}

static int32_t create(const hslink_descriptor *self, const hslink_host *host, void **component,
                      const hslink_failure *failure) {
    state *made_ = calloc(1, sizeof *made_);
    (void)self; (void)failure;
    if (made_ == NULL) return 1;
    made_->host = host;
    host->retain(host);
    atomic_init(&made_->references, 1);
    *component = made_;
    return 0;
}

static void destroy(const hslink_descriptor *self, void *component) {
    state *owner = component;
    (void)self;
    /* The host has released all its instances; a remaining one belongs to a holder of an object. */
    if (atomic_load(&owner->live) != 0) {
        owner->host->log(owner->host, HSLINK_LOG_WARNING, hslink_string_c("an instance is left"));
    }
    let_go(owner);
}

static const hslink_method methods[] = {
    {HSLINK_LITERAL("count"), HSLINK_OBJECT_METHOD, 0, count, NULL},
    {HSLINK_LITERAL("itself"), HSLINK_OBJECT_METHOD, 0, itself, NULL},
    {HSLINK_LITERAL("made"), HSLINK_CLASS_METHOD, 0, made, NULL},
    {HSLINK_LITERAL("live"), HSLINK_CLASS_METHOD, 0, live, NULL},
};
static const hslink_class link_class = HSLINK_CLASS_PER_CONSUMER("PerConsumerLink", methods, make, NULL);
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("PerConsumer", "1.0.0", classes, create, destroy);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
