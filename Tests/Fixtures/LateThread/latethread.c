/* LateThread: returns HSLINK_LATER; a thread replies after payload "seconds", whatever the deadline is. */
#include "pause.h"
#include "hslink.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

HSLINK_MANIFEST("{\"name\": \"LateThread\", \"version\": \"1.0.0\", \"classes\": ["
                "{\"name\": \"LateThreadLink\", \"selectors\": ["
                "{\"name\": \"later\", \"kind\": \"class\"}, "
                "{\"name\": \"lateReplies\", \"kind\": \"class\"}]}]}")

static atomic_long late_replies; /* replies after the call had ended */

typedef struct job {
    hslink_reply reply;
    double seconds;
} job;

static void *work(void *context) {
    job *todo = context;
    const hslink_value answer = hslink_text("from another thread");
    pause_for(todo->seconds);
    if (todo->reply.ops->complete(todo->reply.slot, todo->reply.token, &answer, NULL) == HSLINK_LATE)
        atomic_fetch_add(&late_replies, 1);
    free(todo);
    return NULL;
}

static int32_t later(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    job *todo = malloc(sizeof *todo);
    pthread_t thread;
    (void)context; (void)self;
    if (todo == NULL) return hslink_fail(call, HSLINK_ERROR_FAILED, "no memory for a job");
    todo->reply = call->reply;
    todo->seconds = seconds_of(payload);
    if (pthread_create(&thread, NULL, work, todo) != 0) {
        free(todo);
        return hslink_fail(call, HSLINK_ERROR_FAILED, "no thread for a job");
    }
    pthread_detach(thread);
    return HSLINK_LATER;
}

static int32_t count_late(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    (void)context; (void)self; (void)payload;
    return hslink_return(call, hslink_int(atomic_load(&late_replies)));
}

static const hslink_method methods[] = {
    {HSLINK_LITERAL("later"), HSLINK_CLASS_METHOD, 0, later, NULL},
    {HSLINK_LITERAL("lateReplies"), HSLINK_CLASS_METHOD, 0, count_late, NULL},
};
static const hslink_class link_class = HSLINK_CLASS("LateThreadLink", methods, NULL, NULL);
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("LateThread", "1.0.0", classes, NULL, NULL);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
