/* RepliesTwice: replies with 1, then with 2; the second reply is late. */
#include "hslink.h"

#include <stdatomic.h>

HSLINK_MANIFEST("{\"name\": \"RepliesTwice\", \"version\": \"1.0.0\", \"classes\": ["
                "{\"name\": \"RepliesTwiceLink\", \"selectors\": ["
                "{\"name\": \"run\", \"kind\": \"class\"}, "
                "{\"name\": \"secondResult\", \"kind\": \"class\"}]}]}")

static atomic_int second_result = -1; /* the result of the second complete */

static int32_t run(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    const hslink_value second = hslink_int(2);
    (void)context; (void)self; (void)payload;
    hslink_return(call, hslink_int(1));
    atomic_store(&second_result,
                 call->reply.ops->complete(call->reply.slot, call->reply.token, &second, NULL));
    return HSLINK_REPLIED;
}

static int32_t result(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    (void)context; (void)self; (void)payload;
    return hslink_return(call, hslink_int(atomic_load(&second_result)));
}

static const hslink_method methods[] = {
    {HSLINK_LITERAL("run"), HSLINK_CLASS_METHOD, 0, run, NULL},
    {HSLINK_LITERAL("secondResult"), HSLINK_CLASS_METHOD, 0, result, NULL},
};
static const hslink_class link_class = HSLINK_CLASS("RepliesTwiceLink", methods, NULL, NULL);
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("RepliesTwice", "1.0.0", classes, NULL, NULL);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
