/* NeverReplies: returns HSLINK_LATER and never replies; it counts its calls and how they ended. */
#include "hslink.h"

#include <stdatomic.h>

HSLINK_MANIFEST("{\"name\": \"NeverReplies\", \"version\": \"1.0.0\", \"classes\": ["
                "{\"name\": \"NeverRepliesLink\", \"selectors\": ["
                "{\"name\": \"run\", \"kind\": \"class\"}, "
                "{\"name\": \"runQuick\", \"kind\": \"class\", \"quick\": true}, "
                "{\"name\": \"begun\", \"kind\": \"class\"}, "
                "{\"name\": \"outstanding\", \"kind\": \"class\"}, "
                "{\"name\": \"cancelled\", \"kind\": \"class\"}]}]}")

static atomic_long begun, ended, cancelled;

static void end(void *context, int32_t was_cancelled) {
    (void)context;
    if (was_cancelled) atomic_fetch_add(&cancelled, 1);
    atomic_fetch_add(&ended, 1);
}

static hslink_value number(atomic_long *counter) { return hslink_int(atomic_load(counter)); }

static int32_t run(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    (void)context; (void)self; (void)payload;
    atomic_fetch_add(&begun, 1);
    if (call->reply.ops->on_cancel(call->reply.slot, call->reply.token, end, NULL) != HSLINK_OK) end(NULL, 1);
    return HSLINK_LATER;
}

static int32_t count_begun(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    (void)context; (void)self; (void)payload;
    return hslink_return(call, number(&begun));
}

static int32_t count_outstanding(void *context, hslink_object *self, const hslink_value *payload,
                                 const hslink_call *call) {
    (void)context; (void)self; (void)payload;
    return hslink_return(call, hslink_int(atomic_load(&begun) - atomic_load(&ended)));
}

static int32_t count_cancelled(void *context, hslink_object *self, const hslink_value *payload,
                               const hslink_call *call) {
    (void)context; (void)self; (void)payload;
    return hslink_return(call, number(&cancelled));
}

static const hslink_method methods[] = {
    {HSLINK_LITERAL("run"), HSLINK_CLASS_METHOD, 0, run, NULL},
    {HSLINK_LITERAL("runQuick"), HSLINK_CLASS_METHOD, HSLINK_METHOD_QUICK, run, NULL},
    {HSLINK_LITERAL("begun"), HSLINK_CLASS_METHOD, 0, count_begun, NULL},
    {HSLINK_LITERAL("outstanding"), HSLINK_CLASS_METHOD, 0, count_outstanding, NULL},
    {HSLINK_LITERAL("cancelled"), HSLINK_CLASS_METHOD, 0, count_cancelled, NULL},
};
static const hslink_class link_class = HSLINK_CLASS("NeverRepliesLink", methods, NULL, NULL);
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("NeverReplies", "1.0.0", classes, NULL, NULL);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
