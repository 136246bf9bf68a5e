/* PassesOn: passes its reply on to NeverReplies, and keeps HSLINK_WAITS if the caller sleeps. */
#define _GNU_SOURCE
#include "hslink.h"

#include <pthread.h>
#include <time.h>

HSLINK_MANIFEST("{\"name\": \"PassesOn\", \"version\": \"1.0.0\", \"classes\": ["
                "{\"name\": \"PassesOnLink\", \"selectors\": [{\"name\": \"run\", \"kind\": \"class\"}, "
                "{\"name\": \"runQuick\", \"kind\": \"class\", \"quick\": true}, "
                "{\"name\": \"thread\", \"kind\": \"class\"}]}]}")

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char thread[16]; /* the name of the thread that called the newest handler */

static void note_thread(void *context, int32_t cancelled) {
    (void)context; (void)cancelled;
    pthread_mutex_lock(&lock);
    pthread_getname_np(pthread_self(), thread, sizeof thread);
    pthread_mutex_unlock(&lock);
}

/* With "milliseconds", the deadline of the call that it passes its reply on to. With "handles", its own handler then
 * takes the place of the host's, so that call does not end together with its own. */
static int32_t run(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    const hslink_host *host = call->component;
    const hslink_value *milliseconds = hslink_map_get(payload, "milliseconds");
    hslink_request request;
    int32_t status;
    (void)context; (void)self;
    memset(&request, 0, sizeof request);
    request.struct_size = sizeof request;
    request.kind = HSLINK_CLASS_METHOD;
    request.class_name = hslink_string_c("NeverRepliesLink");
    request.selector = hslink_string_c("run");
    request.flags = call->flags & HSLINK_CALL_WAITS ? HSLINK_WAITS : 0;
    if (milliseconds != NULL && milliseconds->tag == HSLINK_INT) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        request.deadline =
            (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec + (uint64_t)milliseconds->as.i64 * 1000000u;
    }
    status = host->call(host, &request, call->reply, NULL);
    if (hslink_map_get(payload, "handles") != NULL)
        call->reply.ops->on_cancel(call->reply.slot, call->reply.token, note_thread, NULL);
    return status;
}

static int32_t name_thread(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    char name[sizeof thread];
    (void)context; (void)self; (void)payload;
    pthread_mutex_lock(&lock);
    memcpy(name, thread, sizeof name);
    pthread_mutex_unlock(&lock);
    return hslink_return(call, hslink_text(name));
}

static int32_t create(const hslink_descriptor *self, const hslink_host *host, void **component,
                      const hslink_failure *failure) {
    (void)self; (void)failure;
    *component = (void *)(uintptr_t)host;
    return 0;
}

static const hslink_method methods[] = {
    {HSLINK_LITERAL("run"), HSLINK_CLASS_METHOD, 0, run, NULL},
    {HSLINK_LITERAL("runQuick"), HSLINK_CLASS_METHOD, HSLINK_METHOD_QUICK, run, NULL},
    {HSLINK_LITERAL("thread"), HSLINK_CLASS_METHOD, 0, name_thread, NULL},
};
static const hslink_class link_class = HSLINK_CLASS("PassesOnLink", methods, NULL, NULL);
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("PassesOn", "1.0.0", classes, create, NULL);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
