/* Exponential: replies with 60 levels of arrays, each twice the next one: 2^60 values in 2 kB. */
#include "hslink.h"

HSLINK_MANIFEST("{\"name\": \"Exponential\", \"version\": \"1.0.0\", \"classes\": ["
                "{\"name\": \"ExponentialLink\", \"selectors\": ["
                "{\"name\": \"run\", \"kind\": \"class\"}]}]}")

enum { LEVELS = 60 };

static int32_t run(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    hslink_value levels[LEVELS][2];
    int level;
    (void)context; (void)self; (void)payload;
    levels[0][0] = levels[0][1] = hslink_null();
    for (level = 1; level < LEVELS; level++)
        levels[level][0] = levels[level][1] = hslink_array(levels[level - 1], 2);
    return hslink_return(call, hslink_array(levels[LEVELS - 1], 2));
}

static const hslink_method methods[] = {{HSLINK_LITERAL("run"), HSLINK_CLASS_METHOD, 0, run, NULL}};
static const hslink_class link_class = HSLINK_CLASS("ExponentialLink", methods, NULL, NULL);
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("Exponential", "1.0.0", classes, NULL, NULL);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
