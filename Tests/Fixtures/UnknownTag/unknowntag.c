/* UnknownTag: replies with a map that holds a value of tag 99; that is allowed, but it cannot be printed. */
#include "hslink.h"

HSLINK_MANIFEST("{\"name\": \"UnknownTag\", \"version\": \"1.0.0\", \"classes\": ["
                "{\"name\": \"UnknownTagLink\", \"selectors\": ["
                "{\"name\": \"run\", \"kind\": \"class\"}]}]}")

static int32_t run(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    const hslink_entry entries[] = {
        hslink_entry_make("known", hslink_int(1)),
        hslink_entry_make("strange", hslink_value_make(99, 7, 123)),
    };
    (void)context; (void)self; (void)payload;
    return hslink_return(call, hslink_map(entries, 2));
}

static const hslink_method methods[] = {{HSLINK_LITERAL("run"), HSLINK_CLASS_METHOD, 0, run, NULL}};
static const hslink_class link_class = HSLINK_CLASS("UnknownTagLink", methods, NULL, NULL);
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("UnknownTag", "1.0.0", classes, NULL, NULL);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
