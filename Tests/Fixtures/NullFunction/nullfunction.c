/* NullFunction: the method has no function. */
#include "hslink.h"

HSLINK_MANIFEST("{\"name\": \"NullFunction\", \"version\": \"1.0.0\", \"classes\": ["
                "{\"name\": \"NullFunctionLink\", \"selectors\": ["
                "{\"name\": \"run\", \"kind\": \"class\"}]}]}")

static const hslink_method methods[] = {
    {.name = HSLINK_LITERAL("run"), .kind = HSLINK_CLASS_METHOD},
};
static const hslink_class link_class = HSLINK_CLASS("NullFunctionLink", methods, NULL, NULL);
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("NullFunction", "1.0.0", classes, NULL, NULL);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
