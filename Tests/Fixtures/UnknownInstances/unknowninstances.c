/* UnknownInstances: has an instance policy that this revision does not know. */
#include "hslink.h"

HSLINK_MANIFEST("{\"name\": \"UnknownInstances\", \"version\": \"1.0.0\", \"classes\": ["
                "{\"name\": \"UnknownInstancesLink\", \"selectors\": ["
                "{\"name\": \"run\", \"kind\": \"class\"}]}]}")

static int32_t run(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    (void)context; (void)self; (void)payload;
    return hslink_return(call, hslink_bool(1));
}

static const hslink_method methods[] = {{HSLINK_LITERAL("run"), HSLINK_CLASS_METHOD, 0, run, NULL}};
static const hslink_class link_class = {
    .struct_size = sizeof(hslink_class),
    .instances = 77,
    .name = HSLINK_LITERAL("UnknownInstancesLink"),
    .methods = methods,
    .method_count = 1,
    .method_stride = sizeof(hslink_method),
};
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("UnknownInstances", "1.0.0", classes, NULL, NULL);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
