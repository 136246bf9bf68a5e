/* StartsBadly: starts with its host, or for an event whose name is misspelt, but cannot. */
#include "hslink.h"

HSLINK_MANIFEST("{\"name\": \"StartsBadly\", \"version\": \"1.0.0\", \"starts\": \"withHost\", "
                "\"priority\": 5, \"classes\": [{\"name\": \"StartsBadlyLink\", \"selectors\": ["
                "{\"name\": \"run\", \"kind\": \"class\", "
                "\"on\": {\"event\": \"org.hslink.fixture/chagned\", \"loads\": true}}]}]}")

static int32_t run(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    (void)context; (void)self; (void)payload;
    return hslink_return(call, hslink_bool(1));
}

static int32_t create(const hslink_descriptor *self, const hslink_host *host, void **component,
                      const hslink_failure *failure) {
    (void)self; (void)host; (void)component;
    return hslink_report(failure, 7, "the licence has expired");
}

static const hslink_method methods[] = {{HSLINK_LITERAL("run"), HSLINK_CLASS_METHOD, 0, run, NULL}};
static const hslink_class link_class = HSLINK_CLASS("StartsBadlyLink", methods, NULL, NULL);
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("StartsBadly", "1.0.0", classes, create, NULL);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
