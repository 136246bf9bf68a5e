/* SlowCreate: create takes 0.2 s and counts how often it runs in this process. */
#include "pause.h"
#include "hslink.h"

#include <stdatomic.h>

HSLINK_MANIFEST("{\"name\": \"SlowCreate\", \"version\": \"1.0.0\", \"classes\": ["
                "{\"name\": \"SlowCreateLink\", \"selectors\": ["
                "{\"name\": \"created\", \"kind\": \"class\"}]}]}")

static atomic_long created;

static int32_t count(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    (void)context; (void)self; (void)payload;
    return hslink_return(call, hslink_int(atomic_load(&created)));
}

static int32_t create(const hslink_descriptor *self, const hslink_host *host, void **component,
                      const hslink_failure *failure) {
    (void)self; (void)host; (void)component; (void)failure;
    pause_for(0.2);
    atomic_fetch_add(&created, 1);
    return 0;
}

static const hslink_method methods[] = {{HSLINK_LITERAL("created"), HSLINK_CLASS_METHOD, 0, count, NULL}};
static const hslink_class link_class = HSLINK_CLASS("SlowCreateLink", methods, NULL, NULL);
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("SlowCreate", "1.0.0", classes, create, NULL);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
