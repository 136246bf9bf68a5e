/* ChangesDirectory: its create makes the root the current directory of the process. */
#include "hslink.h"
#include <unistd.h>

HSLINK_MANIFEST("{\"name\": \"ChangesDirectory\", \"version\": \"1.0.0\", \"classes\": ["
                "{\"name\": \"ChangesDirectoryLink\", \"selectors\": [{\"name\": \"run\", \"kind\": \"class\"}]}]}")

static int32_t run(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    (void)context; (void)self; (void)payload;
    return hslink_return(call, hslink_bool(1));
}

static int32_t create(const hslink_descriptor *self, const hslink_host *host, void **component,
                      const hslink_failure *failure) {
    (void)self; (void)host; (void)component;
    if (chdir("/") != 0) return hslink_report(failure, HSLINK_ERROR_FAILED, "the directory cannot be changed");
    return 0;
}

static const hslink_method methods[] = {{HSLINK_LITERAL("run"), HSLINK_CLASS_METHOD, 0, run, NULL}};
static const hslink_class link_class = HSLINK_CLASS("ChangesDirectoryLink", methods, NULL, NULL);
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("ChangesDirectory", "1.0.0", classes, create, NULL);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
