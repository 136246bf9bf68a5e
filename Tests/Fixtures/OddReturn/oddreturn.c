/* OddReturn: returns 77, which is neither HSLINK_REPLIED nor HSLINK_LATER. */
#include "hslink.h"

HSLINK_MANIFEST("{\"name\": \"OddReturn\", \"version\": \"1.0.0\", \"classes\": ["
                "{\"name\": \"OddReturnLink\", \"selectors\": ["
                "{\"name\": \"run\", \"kind\": \"class\"}, "
                "{\"name\": \"replied\", \"kind\": \"class\"}]}]}")

static int32_t run(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    (void)context; (void)self; (void)payload; (void)call;
    return 77;
}

static int32_t replied(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    (void)context; (void)self; (void)payload;
    hslink_return(call, hslink_bool(1));
    return 77;
}

static const hslink_method methods[] = {
    {HSLINK_LITERAL("run"), HSLINK_CLASS_METHOD, 0, run, NULL},
    {HSLINK_LITERAL("replied"), HSLINK_CLASS_METHOD, 0, replied, NULL},
};
static const hslink_class link_class = HSLINK_CLASS("OddReturnLink", methods, NULL, NULL);
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("OddReturn", "1.0.0", classes, NULL, NULL);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
