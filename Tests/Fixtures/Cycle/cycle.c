/* Cycle: replies with an array, or a map, that contains itself. */
#include "hslink.h"

HSLINK_MANIFEST("{\"name\": \"Cycle\", \"version\": \"1.0.0\", \"classes\": ["
                "{\"name\": \"CycleLink\", \"selectors\": ["
                "{\"name\": \"run\", \"kind\": \"class\"}, "
                "{\"name\": \"map\", \"kind\": \"class\"}]}]}")

static int32_t run(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    hslink_value item = hslink_null();
    (void)context; (void)self; (void)payload;
    item = hslink_array(&item, 1);
    return hslink_return(call, item);
}

static int32_t map(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    hslink_entry entry = hslink_entry_make("self", hslink_null());
    (void)context; (void)self; (void)payload;
    entry.value = hslink_map(&entry, 1);
    return hslink_return(call, entry.value);
}

static const hslink_method methods[] = {
    {HSLINK_LITERAL("run"), HSLINK_CLASS_METHOD, 0, run, NULL},
    {HSLINK_LITERAL("map"), HSLINK_CLASS_METHOD, 0, map, NULL},
};
static const hslink_class link_class = HSLINK_CLASS("CycleLink", methods, NULL, NULL);
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("Cycle", "1.0.0", classes, NULL, NULL);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
