/* Marks: works; its constructor and create leave marks in the files that HSLINK_MARK and
 * HSLINK_MARK_CREATE name, so that a test sees whether its code ran. */
#include "mark.h"
#include "hslink.h"

HSLINK_MANIFEST("{\"name\": \"Marks\", \"version\": \"1.0.0\", \"classes\": ["
                "{\"name\": \"MarksLink\", \"selectors\": ["
                "{\"name\": \"run\", \"kind\": \"class\"}]}]}")

__attribute__((constructor)) static void constructor(void) { leave_mark("HSLINK_MARK"); }

static int32_t run(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    (void)context; (void)self; (void)payload;
    return hslink_return(call, hslink_bool(1));
}

static int32_t create(const hslink_descriptor *self, const hslink_host *host, void **component,
                      const hslink_failure *failure) {
    (void)self; (void)host; (void)component; (void)failure;
    leave_mark("HSLINK_MARK_CREATE");
    return 0;
}

static const hslink_method methods[] = {{HSLINK_LITERAL("run"), HSLINK_CLASS_METHOD, 0, run, NULL}};
static const hslink_class link_class = HSLINK_CLASS("MarksLink", methods, NULL, NULL);
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("Marks", "1.0.0", classes, create, NULL);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
