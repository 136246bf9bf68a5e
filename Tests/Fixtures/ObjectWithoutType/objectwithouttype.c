/* ObjectWithoutType: replies with an object that has no type, or a type without functions. */
#include "hslink.h"

HSLINK_MANIFEST("{\"name\": \"ObjectWithoutType\", \"version\": \"1.0.0\", \"classes\": ["
                "{\"name\": \"ObjectWithoutTypeLink\", \"selectors\": ["
                "{\"name\": \"run\", \"kind\": \"class\"}, "
                "{\"name\": \"smallType\", \"kind\": \"class\"}, "
                "{\"name\": \"emptyType\", \"kind\": \"class\"}]}]}")

static hslink_object untyped; /* all zero, as static memory is */
static const hslink_object_type small_type = {.struct_size = 8, .name = HSLINK_LITERAL("small")};
static const hslink_object_type empty_type = {
    .struct_size = sizeof(hslink_object_type), .name = HSLINK_LITERAL("empty")};
static hslink_object small = {&small_type};
static hslink_object empty = {&empty_type};

static int32_t object(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    (void)self; (void)payload;
    return hslink_return(call, hslink_object_value(context));
}

static const hslink_method methods[] = {
    {HSLINK_LITERAL("run"), HSLINK_CLASS_METHOD, 0, object, &untyped},
    {HSLINK_LITERAL("smallType"), HSLINK_CLASS_METHOD, 0, object, &small},
    {HSLINK_LITERAL("emptyType"), HSLINK_CLASS_METHOD, 0, object, &empty},
};
static const hslink_class link_class = HSLINK_CLASS("ObjectWithoutTypeLink", methods, NULL, NULL);
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("ObjectWithoutType", "1.0.0", classes, NULL, NULL);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
