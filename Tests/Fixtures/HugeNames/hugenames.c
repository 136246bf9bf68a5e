/* HugeNames: passes invalid names to its host: payload "name" is "huge" (SIZE_MAX bytes), "null" (seven bytes at NULL)
 * or "long" (one byte more than the limit). */
#include "hslink.h"

HSLINK_MANIFEST("{\"name\": \"HugeNames\", \"version\": \"1.0.0\", \"classes\": ["
                "{\"name\": \"HugeNamesLink\", \"selectors\": ["
                "{\"name\": \"classOf\", \"kind\": \"class\"}, "
                "{\"name\": \"selectorOf\", \"kind\": \"class\"}, "
                "{\"name\": \"selectorOfObject\", \"kind\": \"class\"}, "
                "{\"name\": \"bindClass\", \"kind\": \"class\"}, "
                "{\"name\": \"bindSelector\", \"kind\": \"class\"}, "
                "{\"name\": \"available\", \"kind\": \"class\"}, "
                "{\"name\": \"availableSelector\", \"kind\": \"class\"}, "
                "{\"name\": \"loaded\", \"kind\": \"class\"}, "
                "{\"name\": \"extension\", \"kind\": \"class\"}, "
                "{\"name\": \"log\", \"kind\": \"class\"}, "
                "{\"name\": \"invoke\", \"kind\": \"class\"}, "
                "{\"name\": \"caller\", \"kind\": \"class\"}, "
                "{\"name\": \"typeName\", \"kind\": \"class\"}]}]}")

static char long_text[HSLINK_NAME_BYTES + 1];

static const hslink_string own_class = HSLINK_LITERAL("HugeNamesLink");
static const hslink_string own_selector = HSLINK_LITERAL("log");

static int32_t is(const hslink_value *payload, const char *which) {
    const hslink_value *name = hslink_map_get(payload, "name");
    return name != NULL && name->tag == HSLINK_STRING
        && hslink_string_equals(hslink_string_make(name->as.utf8, name->length), which);
}

static hslink_string name_of(const hslink_value *payload) {
    if (is(payload, "null")) return hslink_string_make(NULL, 7);
    if (is(payload, "long")) {
        memset(long_text, 'x', sizeof long_text);
        return hslink_string_make(long_text, sizeof long_text);
    }
    return hslink_string_make("huge", SIZE_MAX);
}

#define METHOD(name_)                                                                                          \
    static int32_t name_(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call)

static hslink_request request_of(void) {
    hslink_request request;
    memset(&request, 0, sizeof request);
    request.struct_size = sizeof request;
    request.kind = HSLINK_CLASS_METHOD;
    request.class_name = own_class;
    request.selector = own_selector;
    return request;
}

METHOD(class_of) {
    const hslink_host *host = call->component;
    hslink_request request = request_of();
    (void)context; (void)self;
    request.class_name = name_of(payload);
    return host->call(host, &request, call->reply, NULL);
}

METHOD(selector_of) {
    const hslink_host *host = call->component;
    hslink_request request = request_of();
    (void)context; (void)self;
    request.selector = name_of(payload);
    return host->call(host, &request, call->reply, NULL);
}

METHOD(selector_of_object) {
    const hslink_host *host = call->component;
    const hslink_value *object = hslink_map_get(payload, "object");
    hslink_request request = request_of();
    (void)context; (void)self;
    if (object == NULL || object->tag != HSLINK_OBJECT)
        return hslink_fail(call, HSLINK_ERROR_PAYLOAD, "object: expected an object");
    request.object = object->as.object;
    request.selector = name_of(payload);
    return host->call(host, &request, call->reply, NULL);
}

/* Passes on why a method could not be bound; `context` is the call to answer. */
static void refuse(void *context, const hslink_error *error) {
    const hslink_call *call = context;
    call->reply.ops->complete(call->reply.slot, call->reply.token, NULL, error);
}

static int32_t bind(const hslink_call *call, hslink_string class_name, hslink_string selector) {
    const hslink_host *host = call->component;
    const hslink_failure failure = {refuse, (void *)call};
    hslink_object *bound = NULL;
    if (host->bind(host, class_name, selector, HSLINK_CLASS_METHOD, &bound, &failure) != 0) return HSLINK_REPLIED;
    bound->type->release(bound);
    return hslink_return(call, hslink_null());
}

METHOD(bind_class) {
    (void)context; (void)self;
    return bind(call, name_of(payload), own_selector);
}

METHOD(bind_selector) {
    (void)context; (void)self;
    return bind(call, own_class, name_of(payload));
}

METHOD(available) {
    const hslink_host *host = call->component;
    (void)context; (void)self;
    return hslink_return(
        call, hslink_bool(host->is_available(host, name_of(payload), own_selector, HSLINK_CLASS_METHOD)));
}

METHOD(available_selector) {
    const hslink_host *host = call->component;
    (void)context; (void)self;
    return hslink_return(
        call, hslink_bool(host->is_available(host, own_class, name_of(payload), HSLINK_CLASS_METHOD)));
}

METHOD(loaded) {
    const hslink_host *host = call->component;
    (void)context; (void)self;
    return hslink_return(call, hslink_bool(host->is_loaded(host, name_of(payload))));
}

METHOD(extension) {
    const hslink_host *host = call->component;
    (void)context; (void)self;
    return hslink_return(call, hslink_bool(host->get_extension(host, name_of(payload)) != NULL));
}

METHOD(log_) {
    const hslink_host *host = call->component;
    (void)context; (void)self;
    host->log(host, HSLINK_LOG_INFO, name_of(payload));
    return hslink_return(call, hslink_null());
}

/* Calls payload "object" directly, without the host: an invalid selector, or its method `selector` for a caller with an
 * invalid name. */
static int32_t invoke(const hslink_value *payload, const hslink_call *call, hslink_string selector,
                      hslink_string caller) {
    const hslink_value *object = hslink_map_get(payload, "object");
    const hslink_value nothing = hslink_null();
    hslink_call inner;
    if (object == NULL || object->tag != HSLINK_OBJECT)
        return hslink_fail(call, HSLINK_ERROR_PAYLOAD, "object: expected an object");
    memset(&inner, 0, sizeof inner);
    inner.struct_size = sizeof inner;
    inner.reply = call->reply;
    inner.caller = caller;
    return object->as.object->type->invoke(object->as.object, selector, &nothing, &inner);
}

METHOD(invoke_) {
    (void)context; (void)self;
    return invoke(payload, call, name_of(payload), hslink_string_c("HugeNames"));
}

METHOD(caller) {
    (void)context; (void)self;
    return invoke(payload, call, hslink_string_c("caller"), name_of(payload));
}

static void keep(hslink_object *self) { (void)self; }

static int32_t never(hslink_object *self, hslink_string selector, const hslink_value *payload, const hslink_call *call) {
    (void)self; (void)selector; (void)payload;
    return hslink_fail(call, HSLINK_ERROR_SELECTOR_NOT_FOUND, "it has no selectors");
}

static hslink_object_type type; /* the last one asked for */
static hslink_object object = {&type};

METHOD(type_name) {
    (void)context; (void)self;
    type.struct_size = sizeof type;
    type.name = name_of(payload);
    type.retain = keep;
    type.release = keep;
    type.invoke = never;
    return hslink_return(call, hslink_object_value(&object));
}

static int32_t create(const hslink_descriptor *self, const hslink_host *host, void **component,
                      const hslink_failure *failure) {
    (void)self; (void)failure;
    *component = (void *)host;
    return 0;
}

static const hslink_method methods[] = {
    {HSLINK_LITERAL("classOf"), HSLINK_CLASS_METHOD, 0, class_of, NULL},
    {HSLINK_LITERAL("selectorOf"), HSLINK_CLASS_METHOD, 0, selector_of, NULL},
    {HSLINK_LITERAL("selectorOfObject"), HSLINK_CLASS_METHOD, 0, selector_of_object, NULL},
    {HSLINK_LITERAL("bindClass"), HSLINK_CLASS_METHOD, 0, bind_class, NULL},
    {HSLINK_LITERAL("bindSelector"), HSLINK_CLASS_METHOD, 0, bind_selector, NULL},
    {HSLINK_LITERAL("available"), HSLINK_CLASS_METHOD, 0, available, NULL},
    {HSLINK_LITERAL("availableSelector"), HSLINK_CLASS_METHOD, 0, available_selector, NULL},
    {HSLINK_LITERAL("loaded"), HSLINK_CLASS_METHOD, 0, loaded, NULL},
    {HSLINK_LITERAL("extension"), HSLINK_CLASS_METHOD, 0, extension, NULL},
    {HSLINK_LITERAL("log"), HSLINK_CLASS_METHOD, 0, log_, NULL},
    {HSLINK_LITERAL("invoke"), HSLINK_CLASS_METHOD, 0, invoke_, NULL},
    {HSLINK_LITERAL("caller"), HSLINK_CLASS_METHOD, 0, caller, NULL},
    {HSLINK_LITERAL("typeName"), HSLINK_CLASS_METHOD, 0, type_name, NULL},
};
static const hslink_class link_class = HSLINK_CLASS("HugeNamesLink", methods, NULL, NULL);
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("HugeNames", "1.0.0", classes, create, NULL);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
