/* NoMake: the class has an object method, but no make. */
#include "hslink.h"

HSLINK_MANIFEST("{\"name\": \"NoMake\", \"version\": \"1.0.0\", \"classes\": ["
                "{\"name\": \"NoMakeLink\", \"selectors\": ["
                "{\"name\": \"run\", \"kind\": \"object\"}, "
                "{\"name\": \"plain\", \"kind\": \"class\"}]}]}")

static int32_t run(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    (void)context; (void)self; (void)payload;
    return hslink_return(call, hslink_bool(1));
}

static const hslink_method methods[] = {
    {HSLINK_LITERAL("run"), HSLINK_OBJECT_METHOD, 0, run, NULL},
    {HSLINK_LITERAL("plain"), HSLINK_CLASS_METHOD, 0, run, NULL},
};
static const hslink_class link_class = HSLINK_CLASS("NoMakeLink", methods, NULL, NULL);
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("NoMake", "1.0.0", classes, NULL, NULL);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
