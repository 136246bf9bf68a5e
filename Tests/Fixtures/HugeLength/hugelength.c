/* HugeLength: replies with lengths of 4,294,967,295 over a pointer to one element. */
#include "hslink.h"

HSLINK_MANIFEST("{\"name\": \"HugeLength\", \"version\": \"1.0.0\", \"classes\": ["
                "{\"name\": \"HugeLengthLink\", \"selectors\": ["
                "{\"name\": \"array\", \"kind\": \"class\"}, "
                "{\"name\": \"map\", \"kind\": \"class\"}, "
                "{\"name\": \"string\", \"kind\": \"class\"}, "
                "{\"name\": \"bytes\", \"kind\": \"class\"}, "
                "{\"name\": \"key\", \"kind\": \"class\"}]}]}")

static int32_t array_(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    const hslink_value item = hslink_int(1);
    (void)context; (void)self; (void)payload;
    return hslink_return(call, hslink_array(&item, UINT32_MAX));
}

static int32_t map_(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    const hslink_entry entry = hslink_entry_make("a", hslink_int(1));
    (void)context; (void)self; (void)payload;
    return hslink_return(call, hslink_map(&entry, UINT32_MAX));
}

static int32_t string_(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    (void)context; (void)self; (void)payload;
    return hslink_return(call, hslink_utf8("a", UINT32_MAX));
}

static int32_t bytes_(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    static const uint8_t octet = 1;
    (void)context; (void)self; (void)payload;
    return hslink_return(call, hslink_bytes(&octet, UINT32_MAX));
}

static int32_t key_(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    hslink_entry entry = hslink_entry_make("a", hslink_int(1));
    (void)context; (void)self; (void)payload;
    entry.key_length = UINT32_MAX;
    return hslink_return(call, hslink_map(&entry, 1));
}

static const hslink_method methods[] = {
    {HSLINK_LITERAL("array"), HSLINK_CLASS_METHOD, 0, array_, NULL},
    {HSLINK_LITERAL("map"), HSLINK_CLASS_METHOD, 0, map_, NULL},
    {HSLINK_LITERAL("string"), HSLINK_CLASS_METHOD, 0, string_, NULL},
    {HSLINK_LITERAL("bytes"), HSLINK_CLASS_METHOD, 0, bytes_, NULL},
    {HSLINK_LITERAL("key"), HSLINK_CLASS_METHOD, 0, key_, NULL},
};
static const hslink_class link_class = HSLINK_CLASS("HugeLengthLink", methods, NULL, NULL);
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("HugeLength", "1.0.0", classes, NULL, NULL);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
