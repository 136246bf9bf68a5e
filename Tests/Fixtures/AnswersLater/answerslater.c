/* AnswersLater: its own thread calls CreateAsksLink.run and answers with the resulting code. `later` does not wait for
 * the thread, `joins` does. */
#include "answer.h"

HSLINK_MANIFEST("{\"name\": \"AnswersLater\", \"version\": \"1.0.0\", \"classes\": ["
                "{\"name\": \"AnswersLaterLink\", \"selectors\": ["
                "{\"name\": \"later\", \"kind\": \"class\"}, {\"name\": \"joins\", \"kind\": \"class\"}]}]}")

typedef struct job {
    const hslink_host *host;
    hslink_reply reply;
} job;

static void *work(void *context) {
    job *todo = context;
    const hslink_value code = hslink_int(answer_of(todo->host, "CreateAsksLink", "run", NULL, 60).code);
    todo->reply.ops->complete(todo->reply.slot, todo->reply.token, &code, NULL);
    free(todo);
    return NULL;
}

static int32_t start(const hslink_call *call, pthread_t *thread) {
    job *todo = malloc(sizeof *todo);
    if (todo == NULL) return hslink_fail(call, HSLINK_ERROR_FAILED, "no memory for a job");
    todo->host = call->component;
    todo->reply = call->reply;
    if (pthread_create(thread, NULL, work, todo) != 0) abort();
    return HSLINK_LATER;
}

static int32_t later(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    pthread_t thread;
    int32_t status = start(call, &thread);
    (void)context; (void)self; (void)payload;
    if (status == HSLINK_LATER) pthread_detach(thread);
    return status;
}

static int32_t joins(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    pthread_t thread;
    (void)context; (void)self; (void)payload;
    if (start(call, &thread) == HSLINK_LATER) pthread_join(thread, NULL);
    return HSLINK_REPLIED;
}

static int32_t create(const hslink_descriptor *self, const hslink_host *host, void **component,
                      const hslink_failure *failure) {
    (void)self; (void)failure;
    *component = (void *)(uintptr_t)host;
    return 0;
}

static const hslink_method methods[] = {
    {HSLINK_LITERAL("later"), HSLINK_CLASS_METHOD, 0, later, NULL},
    {HSLINK_LITERAL("joins"), HSLINK_CLASS_METHOD, 0, joins, NULL},
};
static const hslink_class link_class = HSLINK_CLASS("AnswersLaterLink", methods, NULL, NULL);
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("AnswersLater", "1.0.0", classes, create, NULL);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
