/* PassesOn: passes its reply on to NeverReplies, and keeps HSLINK_WAITS if the caller sleeps. */
#include "hslink.h"

HSLINK_MANIFEST("{\"name\": \"PassesOn\", \"version\": \"1.0.0\", \"classes\": ["
                "{\"name\": \"PassesOnLink\", \"selectors\": [{\"name\": \"run\", \"kind\": \"class\"}]}]}")

static int32_t run(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    const hslink_host *host = call->component;
    hslink_request request;
    (void)context; (void)self; (void)payload;
    memset(&request, 0, sizeof request);
    request.struct_size = sizeof request;
    request.kind = HSLINK_CLASS_METHOD;
    request.class_name = hslink_string_c("NeverRepliesLink");
    request.selector = hslink_string_c("run");
    request.flags = call->flags & HSLINK_CALL_WAITS ? HSLINK_WAITS : 0;
    return host->call(host, &request, call->reply, NULL);
}

static int32_t create(const hslink_descriptor *self, const hslink_host *host, void **component,
                      const hslink_failure *failure) {
    (void)self; (void)failure;
    *component = (void *)(uintptr_t)host;
    return 0;
}

static const hslink_method methods[] = {{HSLINK_LITERAL("run"), HSLINK_CLASS_METHOD, 0, run, NULL}};
static const hslink_class link_class = HSLINK_CLASS("PassesOnLink", methods, NULL, NULL);
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("PassesOn", "1.0.0", classes, create, NULL);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
