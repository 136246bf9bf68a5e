/* UnknownNumbers: works; it uses kinds and flags of a later revision. */
#include "hslink.h"

HSLINK_MANIFEST("{\"name\": \"UnknownNumbers\", \"version\": \"1.0.0\", \"classes\": ["
                "{\"name\": \"UnknownNumbersLink\", \"selectors\": ["
                "{\"name\": \"run\", \"kind\": \"class\"}, "
                "{\"name\": \"withFlags\", \"kind\": \"class\"}, "
                "{\"name\": \"withKind\", \"kind\": \"class\"}, "
                "{\"name\": \"withObject\", \"kind\": \"class\"}, "
                "{\"name\": \"logs\", \"kind\": \"class\"}]}]}")

static int32_t run(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    (void)context; (void)self; (void)payload;
    return hslink_return(call, hslink_bool(1));
}

static hslink_request request_of(void) {
    hslink_request request;
    memset(&request, 0, sizeof request);
    request.struct_size = sizeof request;
    request.kind = HSLINK_CLASS_METHOD;
    request.class_name = hslink_string_c("UnknownNumbersLink");
    request.selector = hslink_string_c("run");
    return request;
}

/* Calls `run` with all flags that this revision does not have. */
static int32_t with_flags(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    const hslink_host *host = call->component;
    hslink_request request = request_of();
    (void)context; (void)self; (void)payload;
    request.flags = ~(uint64_t)(HSLINK_DETACH | HSLINK_WAITS);
    return host->call(host, &request, call->reply, NULL);
}

/* Calls `run` as a method of a later kind. */
static int32_t with_kind(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    const hslink_host *host = call->component;
    hslink_request request = request_of();
    (void)context; (void)self; (void)payload;
    request.kind = 77;
    return host->call(host, &request, call->reply, NULL);
}

/* Calls payload "object", a closure, with payload "argument": the kind is ignored. */
static int32_t with_object(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    const hslink_host *host = call->component;
    const hslink_value *object = hslink_map_get(payload, "object");
    hslink_request request = request_of();
    (void)context; (void)self;
    if (object == NULL || object->tag != HSLINK_OBJECT)
        return hslink_fail(call, HSLINK_ERROR_PAYLOAD, "object: expected an object");
    request.kind = 77;
    request.object = object->as.object;
    request.selector = hslink_string_make(NULL, 0);
    request.class_name = hslink_string_make(NULL, 3); /* nor its class */
    request.payload = hslink_map_get(payload, "argument");
    return host->call(host, &request, call->reply, NULL);
}

static int32_t logs(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    const hslink_host *host = call->component;
    (void)context; (void)self; (void)payload;
    host->log(host, 77, hslink_string_c("of a later level"));
    return hslink_return(call, hslink_null());
}

static int32_t create(const hslink_descriptor *self, const hslink_host *host, void **component,
                      const hslink_failure *failure) {
    (void)self; (void)failure;
    *component = (void *)host;
    return 0;
}

static const hslink_method methods[] = {
    {HSLINK_LITERAL("run"), 77, 0, run, NULL},
    {HSLINK_LITERAL("run"), HSLINK_CLASS_METHOD,
     ~(uint32_t)(HSLINK_METHOD_QUICK | HSLINK_METHOD_MAIN | HSLINK_METHOD_ASYNC), run, NULL},
    {HSLINK_LITERAL("withFlags"), HSLINK_CLASS_METHOD, 0, with_flags, NULL},
    {HSLINK_LITERAL("withKind"), HSLINK_CLASS_METHOD, 0, with_kind, NULL},
    {HSLINK_LITERAL("withObject"), HSLINK_CLASS_METHOD, 0, with_object, NULL},
    {HSLINK_LITERAL("logs"), HSLINK_CLASS_METHOD, 0, logs, NULL},
};
static const hslink_class link_class = HSLINK_CLASS("UnknownNumbersLink", methods, NULL, NULL);
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("UnknownNumbers", "1.0.0", classes, create, NULL);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
