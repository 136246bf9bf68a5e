/* CreateFailsOnce: create fails the first time, and the second time calls through the table of the first. */
#include "answer.h"
#include "hslink.h"

HSLINK_MANIFEST("{\"name\": \"CreateFailsOnce\", \"version\": \"1.0.0\", \"classes\": ["
                "{\"name\": \"CreateFailsOnceLink\", \"selectors\": ["
                "{\"name\": \"answer\", \"kind\": \"class\"}]}]}")

static const hslink_host *first; /* not retained */
static answer late;
static int32_t entered;
static int32_t is_same;

static int32_t answer_(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    const hslink_entry entries[] = {
        hslink_entry_make("code", hslink_int(late.code)),
        hslink_entry_make("entered", hslink_int(entered)),
        hslink_entry_make("isSame", hslink_bool(is_same)),
    };
    (void)context; (void)self; (void)payload;
    return hslink_return(call, hslink_map(entries, 3));
}

static int32_t create(const hslink_descriptor *self, const hslink_host *host, void **component,
                      const hslink_failure *failure) {
    (void)self; (void)component;
    if (first == NULL) {
        first = host;
        return hslink_report(failure, HSLINK_ERROR_FAILED, "not the first time");
    }
    is_same = first == host;
    late = answer_of(first, "CreateFailsOnceLink", "answer", NULL, 60);
    entered = first->enter(first);
    return 0;
}

static const hslink_method methods[] = {{HSLINK_LITERAL("answer"), HSLINK_CLASS_METHOD, 0, answer_, NULL}};
static const hslink_class link_class = HSLINK_CLASS("CreateFailsOnceLink", methods, NULL, NULL);
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("CreateFailsOnce", "1.0.0", classes, create, NULL);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
