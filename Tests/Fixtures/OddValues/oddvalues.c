/* OddValues: replies with values whose form violates the contract. */
#include "hslink.h"

HSLINK_MANIFEST("{\"name\": \"OddValues\", \"version\": \"1.0.0\", \"classes\": ["
                "{\"name\": \"OddValuesLink\", \"selectors\": ["
                "{\"name\": \"bool\", \"kind\": \"class\"}, "
                "{\"name\": \"uint\", \"kind\": \"class\"}, "
                "{\"name\": \"date\", \"kind\": \"class\"}]}]}")

static int32_t bool_(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    (void)context; (void)self; (void)payload;
    return hslink_return(call, hslink_value_make(HSLINK_BOOL, 0, 2));
}

static int32_t uint_(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    (void)context; (void)self; (void)payload;
    return hslink_return(call, hslink_value_make(HSLINK_UINT, 0, 7)); /* fits HSLINK_INT */
}

static int32_t date_(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    (void)context; (void)self; (void)payload;
    return hslink_return(call, hslink_date(0, 1000000000)); /* a whole second of nanoseconds */
}

static const hslink_method methods[] = {
    {HSLINK_LITERAL("bool"), HSLINK_CLASS_METHOD, 0, bool_, NULL},
    {HSLINK_LITERAL("uint"), HSLINK_CLASS_METHOD, 0, uint_, NULL},
    {HSLINK_LITERAL("date"), HSLINK_CLASS_METHOD, 0, date_, NULL},
};
static const hslink_class link_class = HSLINK_CLASS("OddValuesLink", methods, NULL, NULL);
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("OddValues", "1.0.0", classes, NULL, NULL);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
