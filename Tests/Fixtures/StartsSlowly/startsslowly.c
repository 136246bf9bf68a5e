/* StartsSlowly: starts with its host, and takes until the file exists that HSLINK_GATE names. */
#include "pause.h"
#include "hslink.h"

#include <stdlib.h>
#include <unistd.h>

HSLINK_MANIFEST("{\"name\": \"StartsSlowly\", \"version\": \"1.0.0\", \"starts\": \"withHost\", "
                "\"priority\": 50, \"classes\": [{\"name\": \"StartsSlowlyLink\", \"selectors\": ["
                "{\"name\": \"run\", \"kind\": \"class\"}]}]}")

static int32_t run(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    (void)context; (void)self; (void)payload;
    return hslink_return(call, hslink_bool(1));
}

static int32_t create(const hslink_descriptor *self, const hslink_host *host, void **component,
                      const hslink_failure *failure) {
    const char *gate = getenv("HSLINK_GATE");
    (void)self; (void)component; (void)failure;
    host->log(host, HSLINK_LOG_INFO, hslink_string_c("StartsSlowly starts"));
    while (gate != NULL && access(gate, F_OK) != 0) pause_for(0.01);
    return 0;
}

static const hslink_method methods[] = {{HSLINK_LITERAL("run"), HSLINK_CLASS_METHOD, 0, run, NULL}};
static const hslink_class link_class = HSLINK_CLASS("StartsSlowlyLink", methods, NULL, NULL);
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("StartsSlowly", "1.0.0", classes, create, NULL);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
