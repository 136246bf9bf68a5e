/* StopTracker: works; destroy leaves a mark in the file that HSLINK_MARK_DESTROY names, and sleep one in that of
 * HSLINK_MARK_SLEEP when it begins. */
#include "mark.h"
#include "pause.h"
#include "hslink.h"

HSLINK_MANIFEST("{\"name\": \"StopTracker\", \"version\": \"1.0.0\", \"classes\": ["
                "{\"name\": \"StopTrackerLink\", \"selectors\": ["
                "{\"name\": \"sleep\", \"kind\": \"class\"}]}]}")

static int32_t sleep_(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    (void)context; (void)self;
    leave_mark("HSLINK_MARK_SLEEP");
    pause_for(seconds_of(payload));
    return hslink_return(call, hslink_bool(1));
}

static void destroy(const hslink_descriptor *self, void *component) {
    (void)self; (void)component;
    leave_mark("HSLINK_MARK_DESTROY");
}

static const hslink_method methods[] = {{HSLINK_LITERAL("sleep"), HSLINK_CLASS_METHOD, 0, sleep_, NULL}};
static const hslink_class link_class = HSLINK_CLASS("StopTrackerLink", methods, NULL, NULL);
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("StopTracker", "1.0.0", classes, NULL, destroy);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
