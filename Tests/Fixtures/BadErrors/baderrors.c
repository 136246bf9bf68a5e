/* BadErrors: answers with errors that violate the contract. */
#include "hslink.h"

HSLINK_MANIFEST("{\"name\": \"BadErrors\", \"version\": \"1.0.0\", \"classes\": ["
                "{\"name\": \"BadErrorsLink\", \"selectors\": ["
                "{\"name\": \"text\", \"kind\": \"class\"}, "
                "{\"name\": \"cycle\", \"kind\": \"class\"}, "
                "{\"name\": \"details\", \"kind\": \"class\"}, "
                "{\"name\": \"small\", \"kind\": \"class\"}, "
                "{\"name\": \"null\", \"kind\": \"class\"}]}]}")

static int32_t text_(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    (void)context; (void)self; (void)payload;
    return hslink_fail(call, HSLINK_ERROR_FAILED, "not UTF-8: \xFF\xFE");
}

static int32_t cycle_(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    hslink_error error = hslink_error_make(HSLINK_ERROR_FAILED, "its cause is itself");
    (void)context; (void)self; (void)payload;
    error.cause = &error;
    call->reply.ops->complete(call->reply.slot, call->reply.token, NULL, &error);
    return HSLINK_REPLIED;
}

static int32_t details_(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    hslink_error error = hslink_error_make(HSLINK_ERROR_FAILED, "its details contain themselves");
    hslink_value details = hslink_null();
    (void)context; (void)self; (void)payload;
    details = hslink_array(&details, 1);
    error.details = &details;
    call->reply.ops->complete(call->reply.slot, call->reply.token, NULL, &error);
    return HSLINK_REPLIED;
}

static int32_t small_(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    hslink_error error = hslink_error_make(HSLINK_ERROR_FAILED, "never read");
    (void)context; (void)self; (void)payload;
    error.struct_size = 8; /* ends behind the code */
    call->reply.ops->complete(call->reply.slot, call->reply.token, NULL, &error);
    return HSLINK_REPLIED;
}

static int32_t null_(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    hslink_error error = hslink_error_make(HSLINK_ERROR_FAILED, "");
    (void)context; (void)self; (void)payload;
    error.message = hslink_string_make(NULL, 3);
    call->reply.ops->complete(call->reply.slot, call->reply.token, NULL, &error);
    return HSLINK_REPLIED;
}

static const hslink_method methods[] = {
    {HSLINK_LITERAL("text"), HSLINK_CLASS_METHOD, 0, text_, NULL},
    {HSLINK_LITERAL("cycle"), HSLINK_CLASS_METHOD, 0, cycle_, NULL},
    {HSLINK_LITERAL("details"), HSLINK_CLASS_METHOD, 0, details_, NULL},
    {HSLINK_LITERAL("small"), HSLINK_CLASS_METHOD, 0, small_, NULL},
    {HSLINK_LITERAL("null"), HSLINK_CLASS_METHOD, 0, null_, NULL},
};
static const hslink_class link_class = HSLINK_CLASS("BadErrorsLink", methods, NULL, NULL);
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("BadErrors", "1.0.0", classes, NULL, NULL);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
