/* Configured: declares what it reads from its configuration, and reads it through the host's extension. */
#include "hslink.h"

#define SELECTOR(name) "{\"name\": \"" name "\", \"kind\": \"class\"}"
HSLINK_MANIFEST("{\"name\": \"Configured\", \"version\": \"1.0.0\", \"configuration\": \"Options\", \"models\": ["
                "{\"name\": \"Options\", \"fields\": {\"address\": \"string\", \"limit\": \"int = 5\"}}], "
                "\"classes\": [{\"name\": \"ConfiguredInC\", \"selectors\": [" SELECTOR("values") ","
                SELECTOR("value") "," SELECTOR("environment") "]}]}")

static const hslink_host_configuration *table_of(const hslink_host *host) {
    const hslink_host_configuration *table = host->get_extension(host, hslink_string_c(HSLINK_CONFIGURATION));
    return table != NULL && table->struct_size >= HSLINK_HOST_CONFIGURATION_SIZE_1_0 ? table : NULL;
}

/* Passes on why there is no value; `context` is the call to answer. */
static void refuse(void *context, const hslink_error *error) {
    const hslink_call *call = context;
    call->reply.ops->complete(call->reply.slot, call->reply.token, NULL, error);
}

/* Answers the call in `context` with the value. */
static void answer(void *context, const hslink_value *value) { (void)hslink_return(context, *value); }

static int32_t values(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    const hslink_host *host = call->component;
    const hslink_value_sink sink = {answer, (void *)call};
    const hslink_failure failure = {refuse, (void *)call};
    (void)context; (void)self; (void)payload;
    (void)table_of(host)->values(host, &sink, &failure);
    return HSLINK_REPLIED;
}

/* Returns the value of `key` as `type`, or "none". */
static int32_t value(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    const hslink_host *host = call->component;
    const hslink_value_sink sink = {answer, (void *)call};
    const hslink_failure failure = {refuse, (void *)call};
    const hslink_value *key = hslink_map_get(payload, "key"), *type = hslink_map_get(payload, "type");
    (void)context; (void)self;
    if (key == NULL || key->tag != HSLINK_STRING || type == NULL || type->tag != HSLINK_INT)
        return hslink_fail(call, HSLINK_ERROR_PAYLOAD, "expected key and type");
    (void)table_of(host)->value(host, hslink_string_make(key->as.utf8, key->length), (uint32_t)type->as.i64, &sink,
                                &failure);
    /* No effect if there was a value. */
    return hslink_return(call, hslink_utf8("none", 4));
}

static int32_t environment(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    const hslink_host *host = call->component;
    hslink_string name = table_of(host)->environment(host);
    (void)context; (void)self; (void)payload;
    return hslink_return(call, hslink_utf8(name.utf8, (uint32_t)name.length));
}

static int32_t create(const hslink_descriptor *self, const hslink_host *host, void **component,
                      const hslink_failure *failure) {
    (void)self; (void)failure;
    if (table_of(host) == NULL) return 1;
    *component = (void *)host;
    return 0;
}

static const hslink_method methods[] = {
    {HSLINK_LITERAL("values"), HSLINK_CLASS_METHOD, 0, values, NULL},
    {HSLINK_LITERAL("value"), HSLINK_CLASS_METHOD, 0, value, NULL},
    {HSLINK_LITERAL("environment"), HSLINK_CLASS_METHOD, 0, environment, NULL},
};
static const hslink_class link_class = HSLINK_CLASS("ConfiguredInC", methods, NULL, NULL);
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("Configured", "1.0.0", classes, create, NULL);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
