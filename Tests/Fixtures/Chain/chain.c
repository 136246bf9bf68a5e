/* Chain: `start` keeps its reply; then a thread passes it on from call to call, `links` times, without nesting calls.
 * The last call replies, or with `hang` never does. */
#include "pause.h"
#include "hslink.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

HSLINK_MANIFEST("{\"name\": \"Chain\", \"version\": \"1.0.0\", \"classes\": ["
                "{\"name\": \"ChainLink\", \"selectors\": [{\"name\": \"start\", \"kind\": \"class\"}, "
                "{\"name\": \"next\", \"kind\": \"class\"}, {\"name\": \"begun\", \"kind\": \"class\"}]}]}")

static hslink_reply newest; /* of the newest link; used by one thread at a time */
static atomic_long begun;   /* the number of links in the newest chain */

typedef struct chain {
    const hslink_host *host;
    int64_t links;
    int hangs;
} chain;

static int32_t next(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    (void)context; (void)self; (void)payload;
    newest = call->reply;
    return HSLINK_LATER;
}

static void *run(void *context) {
    chain *todo = context;
    const hslink_value done = hslink_bool(1);
    hslink_request request;
    memset(&request, 0, sizeof request);
    request.struct_size = sizeof request;
    request.kind = HSLINK_CLASS_METHOD;
    request.class_name = hslink_string_c("ChainLink");
    request.selector = hslink_string_c("next");
    for (int64_t link = 0; link < todo->links; link++) {
        todo->host->call(todo->host, &request, newest, NULL);
        atomic_fetch_add(&begun, 1);
    }
    if (!todo->hangs) newest.ops->complete(newest.slot, newest.token, &done, NULL);
    todo->host->end_work(todo->host);
    free(todo);
    return NULL;
}

static int32_t start(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    const hslink_value *links = hslink_map_get(payload, "links");
    const hslink_value *hangs = hslink_map_get(payload, "hangs");
    chain *todo = malloc(sizeof *todo);
    pthread_t thread;
    (void)context; (void)self;
    if (todo == NULL || links == NULL || links->tag != HSLINK_INT) return hslink_fail(call, HSLINK_ERROR_PAYLOAD, "links");
    todo->host = call->component;
    todo->links = links->as.i64;
    todo->hangs = hangs != NULL && hangs->as.i64 != 0;
    newest = call->reply;
    atomic_store(&begun, 0);
    /* The thread uses the host. */
    if (todo->host->begin_work(todo->host) != HSLINK_OK || pthread_create(&thread, NULL, run, todo) != 0) abort();
    pthread_detach(thread);
    return HSLINK_LATER;
}

static int32_t count(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    (void)context; (void)self; (void)payload;
    return hslink_return(call, hslink_int(atomic_load(&begun)));
}

static int32_t create(const hslink_descriptor *self, const hslink_host *host, void **component,
                      const hslink_failure *failure) {
    (void)self; (void)failure;
    *component = (void *)(uintptr_t)host;
    return 0;
}

static const hslink_method methods[] = {
    {HSLINK_LITERAL("start"), HSLINK_CLASS_METHOD, 0, start, NULL},
    {HSLINK_LITERAL("next"), HSLINK_CLASS_METHOD, 0, next, NULL},
    {HSLINK_LITERAL("begun"), HSLINK_CLASS_METHOD, 0, count, NULL},
};
static const hslink_class link_class = HSLINK_CLASS("ChainLink", methods, NULL, NULL);
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("Chain", "1.0.0", classes, create, NULL);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
