/* AsksHangs: a quick method that calls one of Hangs in place, which is declared quick too and is the one that blocks. */
#include "hslink.h"

HSLINK_MANIFEST("{\"name\": \"AsksHangs\", \"version\": \"1.0.0\", \"classes\": ["
                "{\"name\": \"AsksHangsLink\", \"selectors\": ["
                "{\"name\": \"run\", \"kind\": \"class\", \"quick\": true}, {\"name\": \"now\", \"kind\": \"class\"}]}]}")

static int32_t run(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    const hslink_host *host = call->component;
    hslink_request request;
    (void)context; (void)self; (void)payload;
    memset(&request, 0, sizeof request);
    request.struct_size = sizeof request;
    request.kind = HSLINK_CLASS_METHOD;
    request.class_name = hslink_string_c("HangsLink");
    request.selector = hslink_string_c("hangQuick");
    return host->call(host, &request, call->reply, NULL);
}

static int32_t now(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    (void)context; (void)self; (void)payload;
    return hslink_return(call, hslink_bool(1));
}

static int32_t create(const hslink_descriptor *self, const hslink_host *host, void **component,
                      const hslink_failure *failure) {
    (void)self; (void)failure;
    *component = (void *)(uintptr_t)host;
    return 0;
}

static const hslink_method methods[] = {
    {HSLINK_LITERAL("run"), HSLINK_CLASS_METHOD, HSLINK_METHOD_QUICK, run, NULL},
    {HSLINK_LITERAL("now"), HSLINK_CLASS_METHOD, 0, now, NULL},
};
static const hslink_class link_class = HSLINK_CLASS("AsksHangsLink", methods, NULL, NULL);
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("AsksHangs", "1.0.0", classes, create, NULL);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
