/* CGood: works; a component in C that uses every part of the contract. */
#include "cgood.h"

#include <stdlib.h>

#define CLASS(name_) "{\"name\": \"" name_ "\", \"kind\": \"class\"}"
#define QUICK(name_) "{\"name\": \"" name_ "\", \"kind\": \"class\", \"quick\": true}"
#define QUICK_OBJECT(name_) "{\"name\": \"" name_ "\", \"kind\": \"object\", \"quick\": true}"

HSLINK_MANIFEST("{\"name\": \"CGood\", \"version\": \"1.0.0\", \"layer\": \"business\", \"classes\": ["
                "{\"name\": \"CGoodLink\", \"selectors\": ["
                QUICK("echo") ", " QUICK("sum") ", " QUICK("types") ", " QUICK("fail") ", " QUICK("describe") ", "
                QUICK("state") ", " QUICK("liveInstances") ", " QUICK("makeCounter") ", "
                CLASS("apply") ", " CLASS("applyLater") ", " CLASS("viaHost") ", " CLASS("viaBound") ", "
                CLASS("ask") ", " QUICK("kind") ", " QUICK_OBJECT("kind") ", " QUICK_OBJECT("count") "]}, "
                "{\"name\": \"CGoodCounter\", \"instances\": \"perCall\", "
                "\"selectors\": [" QUICK_OBJECT("increment") "]}]}")

good_state *good_retain(good_state *state) {
    atomic_fetch_add(&state->references, 1);
    return state;
}

void good_release(good_state *state) {
    if (atomic_fetch_sub(&state->references, 1) != 1) return;
    state->host->release(state->host);
    free(state);
}

static int32_t create(const hslink_descriptor *self, const hslink_host *host, void **component,
                      const hslink_failure *failure) {
    good_state *state = calloc(1, sizeof *state);
    (void)self;
    if (state == NULL) {
        hslink_error error = hslink_error_make(HSLINK_ERROR_FAILED, "no memory for the component's state");
        failure->report(failure->context, &error);
        return 1;
    }
    atomic_init(&state->references, 1);
    state->host = host;
    host->retain(host); /* an instance that outlives the component still calls enter of the host */
    *component = state;
    return 0;
}

static void destroy(const hslink_descriptor *self, void *component) {
    (void)self;
    good_release(component);
}

static const hslink_method link_methods[] = {
    {HSLINK_LITERAL("echo"), HSLINK_CLASS_METHOD, HSLINK_METHOD_QUICK, good_echo, NULL},
    {HSLINK_LITERAL("sum"), HSLINK_CLASS_METHOD, HSLINK_METHOD_QUICK, good_sum, NULL},
    {HSLINK_LITERAL("types"), HSLINK_CLASS_METHOD, HSLINK_METHOD_QUICK, good_types, NULL},
    {HSLINK_LITERAL("fail"), HSLINK_CLASS_METHOD, HSLINK_METHOD_QUICK, good_fail, NULL},
    {HSLINK_LITERAL("describe"), HSLINK_CLASS_METHOD, HSLINK_METHOD_QUICK, good_describe, NULL},
    {HSLINK_LITERAL("state"), HSLINK_CLASS_METHOD, HSLINK_METHOD_QUICK, good_state_count, NULL},
    {HSLINK_LITERAL("liveInstances"), HSLINK_CLASS_METHOD, HSLINK_METHOD_QUICK, good_live_instances, NULL},
    {HSLINK_LITERAL("makeCounter"), HSLINK_CLASS_METHOD, HSLINK_METHOD_QUICK, good_make_counter, NULL},
    {HSLINK_LITERAL("apply"), HSLINK_CLASS_METHOD, 0, good_apply, NULL},
    {HSLINK_LITERAL("applyLater"), HSLINK_CLASS_METHOD, 0, good_apply_later, NULL},
    {HSLINK_LITERAL("viaHost"), HSLINK_CLASS_METHOD, 0, good_via_host, NULL},
    {HSLINK_LITERAL("viaBound"), HSLINK_CLASS_METHOD, 0, good_via_bound, NULL},
    {HSLINK_LITERAL("ask"), HSLINK_CLASS_METHOD, 0, good_ask, NULL},
    {HSLINK_LITERAL("kind"), HSLINK_CLASS_METHOD, HSLINK_METHOD_QUICK, good_kind, NULL},
    {HSLINK_LITERAL("kind"), HSLINK_OBJECT_METHOD, HSLINK_METHOD_QUICK, good_kind, NULL},
    {HSLINK_LITERAL("count"), HSLINK_OBJECT_METHOD, HSLINK_METHOD_QUICK, good_count, NULL},
};
static const hslink_method counter_methods[] = {
    {HSLINK_LITERAL("increment"), HSLINK_OBJECT_METHOD, HSLINK_METHOD_QUICK, good_count, NULL},
};
static const hslink_class link_class = HSLINK_CLASS("CGoodLink", link_methods, good_make, (void *)&good_link_type);
static const hslink_class counter_class =
    HSLINK_CLASS_PER_CALL("CGoodCounter", counter_methods, good_make, (void *)&good_counter_type);
static const hslink_class *const classes[] = {&link_class, &counter_class};
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("CGood", "1.0.0", classes, create, destroy);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
