/* MarksAndMissing: like Marks, but requires a missing component, so it is refused before any code runs. */
#include "mark.h"
#include "hslink.h"

HSLINK_MANIFEST("{\"name\": \"MarksAndMissing\", \"version\": \"1.0.0\", "
                "\"requires\": [{\"component\": \"NotThere\"}], \"classes\": ["
                "{\"name\": \"MarksAndMissingLink\", \"selectors\": ["
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
static const hslink_class link_class = HSLINK_CLASS("MarksAndMissingLink", methods, NULL, NULL);
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("MarksAndMissing", "1.0.0", classes, create, NULL);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
