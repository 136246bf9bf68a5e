/* RepliesLate: sleeps for payload "seconds", whatever the deadline is, then reads its payload and replies. */
#include "pause.h"
#include "hslink.h"

#include <stdatomic.h>

HSLINK_MANIFEST("{\"name\": \"RepliesLate\", \"version\": \"1.0.0\", \"classes\": ["
                "{\"name\": \"RepliesLateLink\", \"selectors\": ["
                "{\"name\": \"sleep\", \"kind\": \"class\"}, "
                "{\"name\": \"sleep\", \"kind\": \"object\"}, "
                "{\"name\": \"lateReplies\", \"kind\": \"class\"}]}]}")

static atomic_long late_replies; /* replies after the call had ended */

/* The sum of the bytes of payload "data", which the host keeps alive until this method returns. */
static int64_t sum_of(const hslink_value *payload) {
    const hslink_value *data = hslink_map_get(payload, "data");
    int64_t sum = 0;
    uint32_t index;
    if (data == NULL || (data->tag != HSLINK_STRING && data->tag != HSLINK_BYTES)) return 0;
    for (index = 0; index < data->length; index++) sum += data->as.bytes[index];
    return sum;
}

/* The one instance, which the image owns: all component values may share it, since it has no state. */
static void keep(hslink_object *self) { (void)self; }
static int32_t invoke(hslink_object *self, hslink_string selector, const hslink_value *payload,
                      const hslink_call *call) {
    (void)self; (void)selector; (void)payload;
    return hslink_fail(call, HSLINK_ERROR_SELECTOR_NOT_FOUND, "the object has no such selector");
}
static const hslink_object_type type = HSLINK_OBJECT_TYPE("RepliesLateLink", keep, keep, invoke, NULL);
static hslink_object only_instance = {&type};

static int32_t make(void *context, void *component, hslink_object **instance, const hslink_failure *failure) {
    (void)context; (void)component; (void)failure;
    *instance = &only_instance;
    return 0;
}

static int32_t sleep_(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    hslink_value sum;
    (void)context; (void)self;
    pause_for(seconds_of(payload));
    sum = hslink_int(sum_of(payload));
    if (call->reply.ops->complete(call->reply.slot, call->reply.token, &sum, NULL) == HSLINK_LATE)
        atomic_fetch_add(&late_replies, 1);
    return HSLINK_REPLIED;
}

static int32_t count_late(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    (void)context; (void)self; (void)payload;
    return hslink_return(call, hslink_int(atomic_load(&late_replies)));
}

static const hslink_method methods[] = {
    {HSLINK_LITERAL("sleep"), HSLINK_CLASS_METHOD, 0, sleep_, NULL},
    {HSLINK_LITERAL("sleep"), HSLINK_OBJECT_METHOD, 0, sleep_, NULL},
    {HSLINK_LITERAL("lateReplies"), HSLINK_CLASS_METHOD, 0, count_late, NULL},
};
static const hslink_class link_class = HSLINK_CLASS("RepliesLateLink", methods, make, NULL);
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("RepliesLate", "1.0.0", classes, NULL, NULL);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
