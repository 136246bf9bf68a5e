/* NameMismatch: the descriptor has a different name than the manifest. */
#include "hslink.h"

HSLINK_MANIFEST("{\"name\": \"NameMismatch\", \"version\": \"1.0.0\", \"classes\": ["
                "{\"name\": \"NameMismatchLink\", \"selectors\": ["
                "{\"name\": \"run\", \"kind\": \"class\"}]}]}")

static int32_t run(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    (void)context; (void)self; (void)payload;
    return hslink_return(call, hslink_bool(1));
}

static const hslink_method methods[] = {{HSLINK_LITERAL("run"), HSLINK_CLASS_METHOD, 0, run, NULL}};
static const hslink_class link_class = HSLINK_CLASS("NameMismatchLink", methods, NULL, NULL);
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor = {
    .magic = HSLINK_MAGIC,
    .struct_size = sizeof(hslink_descriptor),
    .abi_major = HSLINK_ABI_MAJOR,
    .abi_minor = HSLINK_ABI_MINOR,
    .name = HSLINK_LITERAL("NameMismatchOther"),
    .version = HSLINK_LITERAL("1.0.0"),
    .classes = classes,
    .class_count = 1,
};
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
