/* DuplicateKeys: replies with a map that has the same key twice. */
#include "hslink.h"

HSLINK_MANIFEST("{\"name\": \"DuplicateKeys\", \"version\": \"1.0.0\", \"classes\": ["
                "{\"name\": \"DuplicateKeysLink\", \"selectors\": ["
                "{\"name\": \"run\", \"kind\": \"class\"}]}]}")

static int32_t run(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    const hslink_entry entries[] = {
        hslink_entry_make("a", hslink_int(1)),
        hslink_entry_make("b", hslink_int(2)),
        hslink_entry_make("a", hslink_int(3)),
    };
    (void)context; (void)self; (void)payload;
    return hslink_return(call, hslink_map(entries, 3));
}

static const hslink_method methods[] = {{HSLINK_LITERAL("run"), HSLINK_CLASS_METHOD, 0, run, NULL}};
static const hslink_class link_class = HSLINK_CLASS("DuplicateKeysLink", methods, NULL, NULL);
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("DuplicateKeys", "1.0.0", classes, NULL, NULL);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
