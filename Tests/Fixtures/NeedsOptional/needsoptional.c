/* NeedsOptional: works; an optionally required component is missing. */
#include "hslink.h"

HSLINK_MANIFEST("{\"name\": \"NeedsOptional\", \"version\": \"1.0.0\", "
                "\"requires\": [{\"component\": \"NotThere\", \"optional\": true}], \"classes\": ["
                "{\"name\": \"NeedsOptionalLink\", \"selectors\": ["
                "{\"name\": \"hasNotThere\", \"kind\": \"class\"}]}]}")

static int32_t create(const hslink_descriptor *self, const hslink_host *host, void **component,
                      const hslink_failure *failure) {
    (void)self; (void)failure;
    *component = (void *)host; /* valid until destroy, which is when the last method has returned */
    return 0;
}

static int32_t has(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    const hslink_host *host = call->component;
    (void)context; (void)self; (void)payload;
    return hslink_return(call, hslink_bool(host->is_available(host, hslink_string_c("NotThereLink"),
                                                              hslink_string_c(""), HSLINK_CLASS_METHOD)));
}

static const hslink_method methods[] = {{HSLINK_LITERAL("hasNotThere"), HSLINK_CLASS_METHOD, 0, has, NULL}};
static const hslink_class link_class = HSLINK_CLASS("NeedsOptionalLink", methods, NULL, NULL);
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("NeedsOptional", "1.0.0", classes, create, NULL);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
