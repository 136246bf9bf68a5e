/* Hangs: methods that do not return until `release` is called, and objects with such methods. */
#include <pthread.h>
#include <stdlib.h>

#include "hslink.h"

HSLINK_MANIFEST("{\"name\": \"Hangs\", \"version\": \"1.0.0\", \"classes\": ["
                "{\"name\": \"HangsLink\", \"selectors\": ["
                "{\"name\": \"hang\", \"kind\": \"class\"}, "
                "{\"name\": \"hangQuick\", \"kind\": \"class\", \"quick\": true, "
                "\"on\": {\"event\": \"org.hslink.fixture/hang\"}}, {\"name\": \"stay\", \"kind\": \"class\"}, "
                "{\"name\": \"makeHanging\", \"kind\": \"class\"}, {\"name\": \"inside\", \"kind\": \"class\"}, "
                "{\"name\": \"release\", \"kind\": \"class\"}]}]}")

/* The component value. */
typedef struct hangs {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int64_t inside;
    int released;
} hangs;

static void wait_inside(hangs *state) {
    pthread_mutex_lock(&state->lock);
    state->inside++;
    while (!state->released) pthread_cond_wait(&state->changed, &state->lock);
    state->inside--;
    pthread_mutex_unlock(&state->lock);
}

/* Hangs, then replies. */
static int32_t hang(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    (void)context; (void)self; (void)payload;
    wait_inside(call->component);
    return hslink_return(call, hslink_bool(1));
}

/* Replies, then hangs. */
static int32_t stay(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    (void)context; (void)self; (void)payload;
    hslink_return(call, hslink_bool(1));
    wait_inside(call->component);
    return HSLINK_REPLIED;
}

static int32_t count_inside(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    hangs *state = call->component;
    int64_t inside;
    (void)context; (void)self; (void)payload;
    pthread_mutex_lock(&state->lock);
    inside = state->inside;
    pthread_mutex_unlock(&state->lock);
    return hslink_return(call, hslink_int(inside));
}

static void release_waiting(hangs *state) {
    pthread_mutex_lock(&state->lock);
    state->released = 1;
    pthread_cond_broadcast(&state->changed);
    pthread_mutex_unlock(&state->lock);
}

static int32_t release_all(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    (void)context; (void)self; (void)payload;
    release_waiting(call->component);
    return hslink_return(call, hslink_null());
}

/* An object without extensions: the host finds its owner by the file of its code. It is never freed. */
typedef struct hanging {
    hslink_object base;
    hangs *state;
} hanging;

static void keep(hslink_object *self) { (void)self; }

static int32_t invoke(hslink_object *self, hslink_string selector, const hslink_value *payload, const hslink_call *call) {
    (void)payload;
    if (hslink_string_equals(selector, "release")) {
        release_waiting(((hanging *)self)->state);
        return hslink_return(call, hslink_null());
    }
    if (hslink_string_equals(selector, "now")) return hslink_return(call, hslink_bool(1));
    wait_inside(((hanging *)self)->state);
    return hslink_return(call, hslink_bool(1));
}

static const hslink_object_type hanging_type = {
    sizeof(hslink_object_type), 0, HSLINK_LITERAL("hanging"), keep, keep, invoke, NULL};

static int32_t make_hanging(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    static hanging object = {{&hanging_type}, NULL};
    (void)context; (void)self; (void)payload;
    object.state = call->component;
    return hslink_return(call, hslink_object_value(&object.base));
}

static int32_t create(const hslink_descriptor *self, const hslink_host *host, void **component,
                      const hslink_failure *failure) {
    hangs *state = calloc(1, sizeof *state);
    (void)self; (void)host;
    if (state == NULL) return hslink_report(failure, HSLINK_ERROR_FAILED, "no memory");
    pthread_mutex_init(&state->lock, NULL);
    pthread_cond_init(&state->changed, NULL);
    *component = state;
    return 0;
}

static const hslink_method methods[] = {
    {HSLINK_LITERAL("hang"), HSLINK_CLASS_METHOD, 0, hang, NULL},
    {HSLINK_LITERAL("hangQuick"), HSLINK_CLASS_METHOD, HSLINK_METHOD_QUICK, hang, NULL},
    {HSLINK_LITERAL("stay"), HSLINK_CLASS_METHOD, 0, stay, NULL},
    {HSLINK_LITERAL("makeHanging"), HSLINK_CLASS_METHOD, 0, make_hanging, NULL},
    {HSLINK_LITERAL("inside"), HSLINK_CLASS_METHOD, 0, count_inside, NULL},
    {HSLINK_LITERAL("release"), HSLINK_CLASS_METHOD, 0, release_all, NULL},
};
static const hslink_class link_class = HSLINK_CLASS("HangsLink", methods, NULL, NULL);
static const hslink_class *const classes[] = {&link_class};
/* Never destroyed, because hanging methods still need its state. */
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("Hangs", "1.0.0", classes, create, NULL);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
