/* HandlesChanged: logs when it handles org.hslink.fixture/changed, with priorities 7 and -7. */
#include "hslink.h"

#include <inttypes.h>
#include <stdio.h>

HSLINK_MANIFEST("{\"name\": \"HandlesChanged\", \"version\": \"1.0.0\", \"classes\": ["
                "{\"name\": \"HandlesChangedLink\", \"selectors\": ["
                "{\"name\": \"early\", \"kind\": \"class\", "
                "\"on\": {\"event\": \"org.hslink.fixture/changed\", \"priority\": 7}}, "
                "{\"name\": \"late\", \"kind\": \"class\", "
                "\"on\": {\"event\": \"org.hslink.fixture/changed\", \"priority\": -7}}]}]}")

static const hslink_host *host_of_this;

static int32_t handle(int priority, const hslink_value *payload, const hslink_call *call) {
    const hslink_value *value = hslink_map_get(hslink_map_get(payload, "event"), "value");
    char text[64];
    snprintf(text, sizeof text, "file, %d: %" PRId64, priority, value == NULL ? -1 : value->as.i64);
    host_of_this->log(host_of_this, HSLINK_LOG_INFO, hslink_string_c(text));
    return hslink_return(call, hslink_null());
}

static int32_t early(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    (void)context; (void)self;
    return handle(7, payload, call);
}

static int32_t late(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    (void)context; (void)self;
    return handle(-7, payload, call);
}

static int32_t create(const hslink_descriptor *self, const hslink_host *host, void **component,
                      const hslink_failure *failure) {
    (void)self; (void)component; (void)failure;
    host_of_this = host;
    return 0;
}

static const hslink_method methods[] = {
    {HSLINK_LITERAL("early"), HSLINK_CLASS_METHOD, 0, early, NULL},
    {HSLINK_LITERAL("late"), HSLINK_CLASS_METHOD, 0, late, NULL},
};
static const hslink_class link_class = HSLINK_CLASS("HandlesChangedLink", methods, NULL, NULL);
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("HandlesChanged", "1.0.0", classes, create, NULL);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
