/* WrongViews: page modules whose answers are no views. */
#include "hslink.h"
#include <stdlib.h>

#define MODULE(name) \
    "{\"name\": \"" name "\", \"kind\": \"class\", \"parameters\": {\"context\": \"map\"}, \"result\": \"map\", " \
    "\"pageModule\": {\"name\": \"wrong." name "\"}}"

HSLINK_MANIFEST("{\"name\": \"WrongViews\", \"version\": \"1.0.0\", \"classes\": ["
                "{\"name\": \"WrongViewsLink\", \"selectors\": [" MODULE("number") ", " MODULE("shape") ", "
                MODULE("deep") ", " MODULE("large") "]}]}")

static int32_t number(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    (void)context; (void)self; (void)payload;
    return hslink_return(call, hslink_int(7));
}

static int32_t shape(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    (void)context; (void)self; (void)payload;
    const hslink_entry entries[] = {hslink_entry_make("content", hslink_int(1))};
    return hslink_return(call, hslink_map(entries, 1));
}

static int32_t deep(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    (void)context; (void)self; (void)payload;
    enum { depth = 10000 };
    hslink_value *items = calloc(depth, sizeof *items); /* the innermost is null */
    for (int index = 0; index + 1 < depth; index++) items[index] = hslink_array(&items[index + 1], 1);
    int32_t result = hslink_return(call, items[0]);
    free(items);
    return result;
}

static int32_t large(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    (void)context; (void)self; (void)payload;
    const uint32_t size = 1u << 30; /* never touched, so that it takes no memory before it is read */
    uint8_t *bytes = calloc(size, 1);
    int32_t result = hslink_return(call, hslink_bytes(bytes, size));
    free(bytes);
    return result;
}

static const hslink_method methods[] = {
    {HSLINK_LITERAL("number"), HSLINK_CLASS_METHOD, 0, number, NULL},
    {HSLINK_LITERAL("shape"), HSLINK_CLASS_METHOD, 0, shape, NULL},
    {HSLINK_LITERAL("deep"), HSLINK_CLASS_METHOD, 0, deep, NULL},
    {HSLINK_LITERAL("large"), HSLINK_CLASS_METHOD, 0, large, NULL},
};
static const hslink_class link_class = HSLINK_CLASS("WrongViewsLink", methods, NULL, NULL);
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("WrongViews", "1.0.0", classes, NULL, NULL);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
