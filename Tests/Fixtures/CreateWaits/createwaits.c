/* CreateWaits: create waits for calls to its own class, which does not exist yet: on a thread of the host, with and
 * without HSLINK_WAITS, and on its own thread. */
#include "answer.h"

HSLINK_MANIFEST("{\"name\": \"CreateWaits\", \"version\": \"1.0.0\", \"classes\": ["
                "{\"name\": \"CreateWaitsLink\", \"selectors\": ["
                "{\"name\": \"run\", \"kind\": \"class\"}, {\"name\": \"codes\", \"kind\": \"class\"}]}]}")

enum { DETACHED_WAITING, DETACHED, OWN_THREAD, WAYS };

typedef struct codes {
    int32_t of[WAYS];
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

typedef struct job {
    const hslink_host *host;
    int32_t code;
} job;

static void *call_from_thread(void *context) {
    job *todo = context;
    todo->code = answer_of(todo->host, "CreateWaitsLink", "run", NULL, 60).code;
    return NULL;
}

static int32_t create(const hslink_descriptor *self, const hslink_host *host, void **component,
                      const hslink_failure *failure) {
    codes *kept = calloc(1, sizeof *kept);
    job todo = {host, 0};
    pthread_t thread;
    (void)self;
    if (kept == NULL) return hslink_report(failure, HSLINK_ERROR_FAILED, "no memory");
    kept->of[DETACHED_WAITING] =
        answer_with(host, "CreateWaitsLink", "run", NULL, HSLINK_DETACH | HSLINK_WAITS, 60).code;
    kept->of[DETACHED] = answer_with(host, "CreateWaitsLink", "run", NULL, HSLINK_DETACH, 60).code;
    if (pthread_create(&thread, NULL, call_from_thread, &todo) != 0) abort();
    pthread_join(thread, NULL);
    kept->of[OWN_THREAD] = todo.code;
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
static const hslink_class link_class = HSLINK_CLASS("CreateWaitsLink", methods, NULL, NULL);
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("CreateWaits", "1.0.0", classes, create, destroy);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
