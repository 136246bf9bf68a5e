/* BadKeyUtf8: replies with a map whose key is not UTF-8. */
#include "hslink.h"

HSLINK_MANIFEST("{\"name\": \"BadKeyUtf8\", \"version\": \"1.0.0\", \"classes\": ["
                "{\"name\": \"BadKeyUtf8Link\", \"selectors\": ["
                "{\"name\": \"run\", \"kind\": \"class\"}]}]}")

static int32_t run(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    const hslink_entry entry = hslink_entry_make("k\xFF", hslink_int(1));
    (void)context; (void)self; (void)payload;
    return hslink_return(call, hslink_map(&entry, 1));
}

static const hslink_method methods[] = {{HSLINK_LITERAL("run"), HSLINK_CLASS_METHOD, 0, run, NULL}};
static const hslink_class link_class = HSLINK_CLASS("BadKeyUtf8Link", methods, NULL, NULL);
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("BadKeyUtf8", "1.0.0", classes, NULL, NULL);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
