/* CreateAsks: create waits for AnswersLater, whose own thread calls back before it answers. */
#include "answer.h"

HSLINK_MANIFEST("{\"name\": \"CreateAsks\", \"version\": \"1.0.0\", \"classes\": ["
                "{\"name\": \"CreateAsksLink\", \"selectors\": ["
                "{\"name\": \"run\", \"kind\": \"class\"}, {\"name\": \"codes\", \"kind\": \"class\"}]}]}")

enum { LATER, DETACHED, JOINS, WAYS };

typedef struct codes {
    int64_t of[WAYS];
} codes;

static int32_t run(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    (void)context; (void)self; (void)payload;
    return hslink_return(call, hslink_bool(1));
}

static int32_t codes_of(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    const codes *kept = call->component;
    hslink_value values[WAYS];
    (void)context; (void)self; (void)payload;
    for (int way = 0; way < WAYS; way++) values[way] = hslink_int(kept->of[way]);
    return hslink_return(call, hslink_array(values, WAYS));
}

static int64_t ask(const hslink_host *host, const char *selector, uint64_t flags) {
    const answer given = answer_with(host, "AnswersLaterLink", selector, NULL, flags, 60);
    return given.code == 0 ? given.number : -1;
}

static int32_t create(const hslink_descriptor *self, const hslink_host *host, void **component,
                      const hslink_failure *failure) {
    codes *kept = calloc(1, sizeof *kept);
    (void)self;
    if (kept == NULL) return hslink_report(failure, HSLINK_ERROR_FAILED, "no memory");
    kept->of[LATER] = ask(host, "later", HSLINK_WAITS);
    kept->of[DETACHED] = ask(host, "later", HSLINK_WAITS | HSLINK_DETACH);
    kept->of[JOINS] = ask(host, "joins", HSLINK_WAITS);
    *component = kept;
    return 0;
}

static void destroy(const hslink_descriptor *self, void *component) {
    (void)self;
    free(component);
}

static const hslink_method methods[] = {
    {HSLINK_LITERAL("run"), HSLINK_CLASS_METHOD, 0, run, NULL},
    {HSLINK_LITERAL("codes"), HSLINK_CLASS_METHOD, 0, codes_of, NULL},
};
static const hslink_class link_class = HSLINK_CLASS("CreateAsksLink", methods, NULL, NULL);
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("CreateAsks", "1.0.0", classes, create, destroy);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
