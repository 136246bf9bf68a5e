/* CreateCallsBack: works; create calls CGood through the host and keeps the answer. */
#include "answer.h"
#include "hslink.h"

HSLINK_MANIFEST("{\"name\": \"CreateCallsBack\", \"version\": \"1.0.0\", "
                "\"requires\": [{\"component\": \"CGood\", \"version\": \">=1.0.0\"}], \"classes\": ["
                "{\"name\": \"CreateCallsBackLink\", \"selectors\": ["
                "{\"name\": \"answer\", \"kind\": \"class\"}]}]}")

static int32_t kept(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    const answer *stored = call->component;
    (void)context; (void)self; (void)payload;
    if (stored->code != 0) return hslink_fail(call, stored->code, "create was answered with an error");
    return hslink_return(call, hslink_int(stored->number));
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
    {
        const hslink_entry entries[] = {
            hslink_entry_make("a", hslink_int(40)),
            hslink_entry_make("b", hslink_int(2)),
        };
        const hslink_value payload = hslink_map(entries, 2);
        *stored = answer_of(host, "CGoodLink", "sum", &payload, 10);
    }
    *component = stored;
    return 0;
}

static void destroy(const hslink_descriptor *self, void *component) {
    (void)self;
    free(component);
}

static const hslink_method methods[] = {{HSLINK_LITERAL("answer"), HSLINK_CLASS_METHOD, 0, kept, NULL}};
static const hslink_class link_class = HSLINK_CLASS("CreateCallsBackLink", methods, NULL, NULL);
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("CreateCallsBack", "1.0.0", classes, create, destroy);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
