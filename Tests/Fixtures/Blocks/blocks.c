/* Blocks: handlers of cancelled calls, callbacks of its own calls, and releases of its objects, that block until `release`
 * is called. */
#include "receiver.h"

#include <stdatomic.h>
#include <time.h>

HSLINK_MANIFEST("{\"name\": \"Blocks\", \"version\": \"1.0.0\", \"classes\": ["
                "{\"name\": \"BlocksLink\", \"selectors\": ["
                "{\"name\": \"run\", \"kind\": \"class\"}, {\"name\": \"call\", \"kind\": \"class\"}, "
                "{\"name\": \"endWork\", \"kind\": \"class\"}, "
                "{\"name\": \"gift\", \"kind\": \"class\", \"quick\": true}, "
                "{\"name\": \"begun\", \"kind\": \"class\"}, "
                "{\"name\": \"inside\", \"kind\": \"class\"}, {\"name\": \"release\", \"kind\": \"class\"}]}]}")

/* The component value; it is never freed. */
typedef struct blocks {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    const hslink_host *host;
    int64_t begun, inside;
    int released;
} blocks;

static void stay(blocks *state) {
    pthread_mutex_lock(&state->lock);
    state->inside++;
    while (!state->released) pthread_cond_wait(&state->changed, &state->lock);
    pthread_mutex_unlock(&state->lock);
}

static void cancelled(void *context, int32_t was_cancelled) {
    if (was_cancelled) stay(context);
}

/* Never replies; its handler blocks. */
static int32_t run(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    blocks *state = call->component;
    (void)context; (void)self; (void)payload;
    if (call->reply.ops->on_cancel(call->reply.slot, call->reply.token, cancelled, state) != HSLINK_OK) abort();
    pthread_mutex_lock(&state->lock);
    state->begun++;
    pthread_mutex_unlock(&state->lock);
    return HSLINK_LATER;
}

/* What is kept of one call. */
typedef struct awaited {
    receiver reply; /* first */
    blocks *state;
    pthread_t maker;
    int is_made;
} awaited;

static int32_t arrived(receiver *self) {
    awaited *call = (awaited *)self;
    int is_early;
    pthread_mutex_lock(&call->state->lock);
    is_early = !call->is_made && pthread_equal(call->maker, pthread_self());
    pthread_mutex_unlock(&call->state->lock);
    /* The deadline passed before the call began. */
    if (!is_early) stay(call->state);
    return HSLINK_OK;
}

/* Makes payload "count" calls whose deadline passes; their callbacks block. */
static int32_t call_others(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    blocks *state = call->component;
    const hslink_value *count = hslink_map_get(payload, "count");
    (void)context; (void)self;
    if (count == NULL || count->tag != HSLINK_INT) return hslink_fail(call, HSLINK_ERROR_PAYLOAD, "count");
    for (int64_t index = 0; index < count->as.i64; index++) {
        hslink_request request;
        awaited *awaits = receiver_new(sizeof *awaits, arrived);
        struct timespec now;
        awaits->state = state;
        awaits->maker = pthread_self();
        clock_gettime(CLOCK_MONOTONIC, &now);
        memset(&request, 0, sizeof request);
        request.struct_size = sizeof request;
        request.kind = HSLINK_CLASS_METHOD;
        request.class_name = hslink_string_c("NeverRepliesLink");
        request.selector = hslink_string_c("run");
        request.deadline = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec + 100000000u;
        state->host->call(state->host, &request, receiver_reply(&awaits->reply), NULL);
        pthread_mutex_lock(&state->lock);
        awaits->is_made = 1;
        pthread_mutex_unlock(&state->lock);
    }
    return hslink_return(call, hslink_null());
}

/* Ends work that it has not begun. */
static int32_t end_work(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    blocks *state = call->component;
    (void)context; (void)self; (void)payload;
    state->host->end_work(state->host);
    return hslink_return(call, hslink_null());
}

static int32_t count_begun(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    blocks *state = call->component;
    int64_t begun;
    (void)context; (void)self; (void)payload;
    pthread_mutex_lock(&state->lock);
    begun = state->begun;
    pthread_mutex_unlock(&state->lock);
    return hslink_return(call, hslink_int(begun));
}

static int32_t count_inside(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    blocks *state = call->component;
    int64_t inside;
    (void)context; (void)self; (void)payload;
    pthread_mutex_lock(&state->lock);
    inside = state->inside;
    pthread_mutex_unlock(&state->lock);
    return hslink_return(call, hslink_int(inside));
}

/* An object whose release blocks. */
typedef struct gift {
    hslink_object object; /* first: the host sees only this */
    atomic_long references;
    blocks *state;
} gift;

static void retain_gift(hslink_object *self) { atomic_fetch_add(&((gift *)self)->references, 1); }

static void release_gift(hslink_object *self) {
    gift *given = (gift *)self;
    if (atomic_fetch_sub(&given->references, 1) != 1) return;
    stay(given->state);
    free(given);
}

static void let_go(blocks *state) {
    pthread_mutex_lock(&state->lock);
    state->released = 1;
    pthread_cond_broadcast(&state->changed);
    pthread_mutex_unlock(&state->lock);
}

/* "stay" blocks, too. */
static int32_t invoke_gift(hslink_object *self, hslink_string selector, const hslink_value *payload,
                           const hslink_call *call) {
    (void)payload;
    if (hslink_string_equals(selector, "stay")) {
        stay(((gift *)self)->state);
    } else {
        let_go(((gift *)self)->state);
    }
    return hslink_return(call, hslink_null());
}

static const hslink_object_type gift_type =
    HSLINK_OBJECT_TYPE("BlocksGift", retain_gift, release_gift, invoke_gift, NULL);

/* Returns an object without keeping it. */
static int32_t give(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    gift *made = calloc(1, sizeof *made);
    (void)context; (void)self; (void)payload;
    if (made == NULL) abort();
    made->object.type = &gift_type;
    made->state = call->component;
    atomic_init(&made->references, 1);
    hslink_return(call, hslink_object_value(&made->object));
    release_gift(&made->object); /* the receiver of the reply has retained it */
    return HSLINK_REPLIED;
}

static int32_t release_all(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    (void)context; (void)self; (void)payload;
    let_go(call->component);
    return hslink_return(call, hslink_null());
}

static int32_t create(const hslink_descriptor *self, const hslink_host *host, void **component,
                      const hslink_failure *failure) {
    blocks *state = calloc(1, sizeof *state);
    (void)self;
    if (state == NULL) return hslink_report(failure, HSLINK_ERROR_FAILED, "no memory");
    pthread_mutex_init(&state->lock, NULL);
    pthread_cond_init(&state->changed, NULL);
    state->host = host;
    *component = state;
    return 0;
}

static const hslink_method methods[] = {
    {HSLINK_LITERAL("run"), HSLINK_CLASS_METHOD, 0, run, NULL},
    {HSLINK_LITERAL("call"), HSLINK_CLASS_METHOD, 0, call_others, NULL},
    {HSLINK_LITERAL("endWork"), HSLINK_CLASS_METHOD, 0, end_work, NULL},
    {HSLINK_LITERAL("gift"), HSLINK_CLASS_METHOD, HSLINK_METHOD_QUICK, give, NULL},
    {HSLINK_LITERAL("begun"), HSLINK_CLASS_METHOD, 0, count_begun, NULL},
    {HSLINK_LITERAL("inside"), HSLINK_CLASS_METHOD, 0, count_inside, NULL},
    {HSLINK_LITERAL("release"), HSLINK_CLASS_METHOD, 0, release_all, NULL},
};
static const hslink_class link_class = HSLINK_CLASS("BlocksLink", methods, NULL, NULL);
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("Blocks", "1.0.0", classes, create, NULL);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
