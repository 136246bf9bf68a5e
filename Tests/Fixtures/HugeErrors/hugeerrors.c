/* HugeErrors: errors whose texts claim an impossible length, and whose details are too big. */
#include <stdlib.h>

#include "hslink.h"

HSLINK_MANIFEST("{\"name\": \"HugeErrors\", \"version\": \"1.0.0\", \"classes\": ["
                "{\"name\": \"HugeErrorsLink\", \"selectors\": ["
                "{\"name\": \"message\", \"kind\": \"class\"}, "
                "{\"name\": \"domain\", \"kind\": \"class\"}, "
                "{\"name\": \"names\", \"kind\": \"class\"}, "
                "{\"name\": \"cause\", \"kind\": \"class\"}, "
                "{\"name\": \"longest\", \"kind\": \"class\"}, "
                "{\"name\": \"longer\", \"kind\": \"class\"}, "
                "{\"name\": \"bytes\", \"kind\": \"class\"}, "
                "{\"name\": \"deep\", \"kind\": \"class\"}, "
                "{\"name\": \"make\"}]}]}")

static char text[HSLINK_MESSAGE_BYTES + 1];

static int32_t answer(const hslink_call *call, const hslink_error *error) {
    call->reply.ops->complete(call->reply.slot, call->reply.token, NULL, error);
    return HSLINK_REPLIED;
}

static hslink_string huge(void) { return hslink_string_make("huge", SIZE_MAX); }

#define METHOD(name_)                                                                                          \
    static int32_t name_(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call)

METHOD(message) {
    hslink_error error = hslink_error_make(HSLINK_ERROR_FAILED, "");
    (void)context; (void)self; (void)payload;
    error.message = huge();
    return answer(call, &error);
}

METHOD(domain) {
    hslink_error error = hslink_error_make(7, "its domain is huge");
    (void)context; (void)self; (void)payload;
    error.domain = huge();
    return answer(call, &error);
}

METHOD(names) {
    hslink_error error = hslink_error_make(HSLINK_ERROR_FAILED, "its names are huge");
    (void)context; (void)self; (void)payload;
    error.class_name = huge();
    error.selector = huge();
    error.component = huge();
    return answer(call, &error);
}

METHOD(cause) {
    hslink_error error = hslink_error_make(HSLINK_ERROR_FAILED, "its cause is huge");
    hslink_error inner = hslink_error_make(HSLINK_ERROR_FAILED, "");
    (void)context; (void)self; (void)payload;
    inner.message = huge();
    error.cause = &inner;
    return answer(call, &error);
}

/* A message of the maximum length, or one byte more; `context` is the length. */
METHOD(length) {
    hslink_error error = hslink_error_make(HSLINK_ERROR_FAILED, "");
    (void)self; (void)payload;
    memset(text, 'x', sizeof text);
    error.message = hslink_string_make(text, (size_t)(uintptr_t)context);
    return answer(call, &error);
}

/* Details of 2 MB. */
METHOD(bytes) {
    hslink_error error = hslink_error_make(HSLINK_ERROR_FAILED, "its details are big");
    uint8_t *memory = calloc(1, 2u << 20);
    hslink_value details = hslink_bytes(memory, memory == NULL ? 0 : 2u << 20);
    (void)context; (void)self; (void)payload;
    error.details = &details;
    answer(call, &error);
    free(memory);
    return HSLINK_REPLIED;
}

/* Details of 40 levels. */
METHOD(deep) {
    hslink_error error = hslink_error_make(HSLINK_ERROR_FAILED, "its details are deep");
    hslink_value levels[40];
    uint32_t level;
    (void)context; (void)self; (void)payload;
    levels[0] = hslink_null();
    for (level = 1; level < 40; level++) levels[level] = hslink_array(&levels[level - 1], 1);
    error.details = &levels[39];
    return answer(call, &error);
}

METHOD(never) {
    (void)context; (void)self; (void)payload;
    return hslink_return(call, hslink_null());
}

static int32_t make(void *context, void *component, hslink_object **instance, const hslink_failure *failure) {
    hslink_error error = hslink_error_make(HSLINK_ERROR_FAILED, "");
    (void)context; (void)component; (void)instance;
    error.message = huge();
    failure->report(failure->context, &error);
    return 1;
}

static const hslink_method methods[] = {
    {HSLINK_LITERAL("message"), HSLINK_CLASS_METHOD, 0, message, NULL},
    {HSLINK_LITERAL("domain"), HSLINK_CLASS_METHOD, 0, domain, NULL},
    {HSLINK_LITERAL("names"), HSLINK_CLASS_METHOD, 0, names, NULL},
    {HSLINK_LITERAL("cause"), HSLINK_CLASS_METHOD, 0, cause, NULL},
    {HSLINK_LITERAL("longest"), HSLINK_CLASS_METHOD, 0, length, (void *)HSLINK_MESSAGE_BYTES},
    {HSLINK_LITERAL("longer"), HSLINK_CLASS_METHOD, 0, length, (void *)(HSLINK_MESSAGE_BYTES + 1)},
    {HSLINK_LITERAL("bytes"), HSLINK_CLASS_METHOD, 0, bytes, NULL},
    {HSLINK_LITERAL("deep"), HSLINK_CLASS_METHOD, 0, deep, NULL},
    {HSLINK_LITERAL("make"), HSLINK_OBJECT_METHOD, 0, never, NULL},
};
static const hslink_class link_class = HSLINK_CLASS("HugeErrorsLink", methods, make, NULL);
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("HugeErrors", "1.0.0", classes, NULL, NULL);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
