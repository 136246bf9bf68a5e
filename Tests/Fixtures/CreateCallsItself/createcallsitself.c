/* CreateCallsItself: create calls a class of its own component, which does not exist yet. */
#include "answer.h"
#include "hslink.h"

HSLINK_MANIFEST("{\"name\": \"CreateCallsItself\", \"version\": \"1.0.0\", \"classes\": ["
                "{\"name\": \"CreateCallsItselfLink\", \"selectors\": ["
                "{\"name\": \"run\", \"kind\": \"class\"}, "
                "{\"name\": \"answer\", \"kind\": \"class\"}]}]}")

static int32_t run(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    (void)context; (void)self; (void)payload;
    return hslink_return(call, hslink_bool(1));
}

static int32_t kept(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    const answer *stored = call->component;
    const hslink_entry entries[] = {
        hslink_entry_make("answered", hslink_bool(stored->state == ANSWER_GIVEN)),
        hslink_entry_make("code", hslink_int(stored->code)),
    };
    (void)context; (void)self; (void)payload;
    return hslink_return(call, hslink_map(entries, 2));
}

static int32_t create(const hslink_descriptor *self, const hslink_host *host, void **component,
                      const hslink_failure *failure) {
    answer *stored = malloc(sizeof *stored);
    (void)self;
    if (stored == NULL) {
        hslink_error error = hslink_error_make(HSLINK_ERROR_FAILED, "no memory for the answer");
        failure->report(failure->context, &error);
        return 1;
    }
    *stored = answer_of(host, "CreateCallsItselfLink", "run", NULL, 10);
    *component = stored;
    return 0;
}

static void destroy(const hslink_descriptor *self, void *component) {
    (void)self;
    free(component);
}

static const hslink_method methods[] = {
    {HSLINK_LITERAL("run"), HSLINK_CLASS_METHOD, 0, run, NULL},
    {HSLINK_LITERAL("answer"), HSLINK_CLASS_METHOD, 0, kept, NULL},
};
static const hslink_class link_class = HSLINK_CLASS("CreateCallsItselfLink", methods, NULL, NULL);
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("CreateCallsItself", "1.0.0", classes, create, destroy);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
