/* MakeReturnsNothing: make reports success, but returns no instance. */
#include "hslink.h"

HSLINK_MANIFEST("{\"name\": \"MakeReturnsNothing\", \"version\": \"1.0.0\", \"classes\": ["
                "{\"name\": \"MakeReturnsNothingLink\", \"selectors\": ["
                "{\"name\": \"run\", \"kind\": \"object\"}, "
                "{\"name\": \"plain\", \"kind\": \"class\"}]}]}")

static int32_t make(void *context, void *component, hslink_object **instance, const hslink_failure *failure) {
    (void)context; (void)component; (void)instance; (void)failure;
    return 0;
}

static int32_t run(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    (void)context; (void)self; (void)payload;
    return hslink_return(call, hslink_bool(1));
}

static const hslink_method methods[] = {
    {HSLINK_LITERAL("run"), HSLINK_OBJECT_METHOD, 0, run, NULL},
    {HSLINK_LITERAL("plain"), HSLINK_CLASS_METHOD, 0, run, NULL},
};
static const hslink_class link_class = HSLINK_CLASS("MakeReturnsNothingLink", methods, make, NULL);
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("MakeReturnsNothing", "1.0.0", classes, NULL, NULL);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
