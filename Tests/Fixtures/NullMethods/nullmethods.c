/* NullMethods: the class has one method at NULL. */
#include "hslink.h"

HSLINK_MANIFEST("{\"name\": \"NullMethods\", \"version\": \"1.0.0\", \"classes\": ["
                "{\"name\": \"NullMethodsLink\", \"selectors\": ["
                "{\"name\": \"run\", \"kind\": \"class\"}]}]}")

static const hslink_class link_class = {
    .struct_size = sizeof(hslink_class),
    .instances = HSLINK_SHARED,
    .name = HSLINK_LITERAL("NullMethodsLink"),
    .methods = NULL,
    .method_count = 1,
    .method_stride = sizeof(hslink_method),
};
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("NullMethods", "1.0.0", classes, NULL, NULL);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
