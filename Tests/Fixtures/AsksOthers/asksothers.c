/* AsksOthers: calls other components, with callbacks that say on which thread they ran, block until `release` is called,
 * or make a further call. The last call can be cancelled. Its `create` enters and does not leave. */
#define _GNU_SOURCE
#include "answer.h"
#include "receiver.h"

#include <string.h>
#include <time.h>

HSLINK_MANIFEST("{\"name\": \"AsksOthers\", \"version\": \"1.0.0\", "
                "\"requires\": [{\"component\": \"NeverReplies\", \"optional\": true}], \"classes\": ["
                "{\"name\": \"AsksOthersLink\", \"selectors\": ["
                "{\"name\": \"ask\", \"kind\": \"class\"}, {\"name\": \"cancel\", \"kind\": \"class\"}, "
                "{\"name\": \"now\", \"kind\": \"class\"}, "
                "{\"name\": \"answered\", \"kind\": \"class\", \"quick\": true}, "
                "{\"name\": \"inside\", \"kind\": \"class\", \"quick\": true}, "
                "{\"name\": \"thread\", \"kind\": \"class\"}, {\"name\": \"answer\", \"kind\": \"class\"}, "
                "{\"name\": \"object\", \"kind\": \"class\"}, "
                "{\"name\": \"release\", \"kind\": \"class\"}]}]}")

/* An object without extensions whose `release` method ends all waiting. It lives as long as the component. */
typedef struct asker {
    hslink_object object; /* first: the host sees only this */
    const hslink_host *host;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int64_t answered, inside;
    int released;
    hslink_call_id last; /* of the calls that were made */
    char thread[16], answer[64];
} asker;

/* What is kept of one call. */
typedef struct question {
    receiver reply; /* first */
    asker *owner;
    char mode[8]; /* "stay", "call", or nothing */
    char class_name[32], selector[32];
    uint32_t kind;
    int works;
} question;

static void stay(asker *owner) {
    pthread_mutex_lock(&owner->lock);
    owner->inside++;
    while (!owner->released) pthread_cond_wait(&owner->changed, &owner->lock);
    owner->inside--;
    pthread_mutex_unlock(&owner->lock);
}

static void let_go(asker *owner) {
    pthread_mutex_lock(&owner->lock);
    owner->released = 1;
    pthread_cond_broadcast(&owner->changed);
    pthread_mutex_unlock(&owner->lock);
}

static int32_t answered(receiver *self) {
    question *asked = (question *)self;
    asker *owner = asked->owner;
    answer next;
    pthread_mutex_lock(&owner->lock);
    pthread_getname_np(pthread_self(), owner->thread, sizeof owner->thread);
    pthread_mutex_unlock(&owner->lock);
    if (strcmp(asked->mode, "stay") == 0) stay(owner);
    memset(&next, 0, sizeof next);
    if (strcmp(asked->mode, "call") == 0)
        next = answer_to(owner->host, asked->kind, asked->class_name, "now", NULL, HSLINK_DETACH | HSLINK_WAITS, 300);
    pthread_mutex_lock(&owner->lock);
    memcpy(owner->answer, next.text, sizeof owner->answer);
    owner->answered++;
    pthread_mutex_unlock(&owner->lock);
    if (asked->works) owner->host->end_work(owner->host);
    return HSLINK_OK;
}

static void read_text(const hslink_value *payload, const char *key, char *text, size_t size) {
    const hslink_value *value = hslink_map_get(payload, key);
    size_t length;
    text[0] = 0;
    if (value == NULL || value->tag != HSLINK_STRING) return;
    length = value->length < size - 1 ? value->length : size - 1;
    memcpy(text, value->as.utf8, length);
    text[length] = 0;
}

#define METHOD(name_)                                                                                          \
    static int32_t name_(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call)

/* Calls payload "class", "selector" ("kind" is "class" for a class method), or "selector" of "object" if there is one, and
 * returns at once. The call may take "milliseconds". The callback does what "mode" says; with "works", the call is work of
 * the component until then. */
METHOD(ask) {
    asker *owner = call->component;
    question *asked = receiver_new(sizeof *asked, answered);
    const hslink_value *works = hslink_map_get(payload, "works"), *object = hslink_map_get(payload, "object");
    const hslink_value *limit = hslink_map_get(payload, "milliseconds");
    hslink_request request;
    hslink_call_id id;
    char kind[8];
    (void)context; (void)self;
    asked->owner = owner;
    read_text(payload, "mode", asked->mode, sizeof asked->mode);
    read_text(payload, "class", asked->class_name, sizeof asked->class_name);
    read_text(payload, "selector", asked->selector, sizeof asked->selector);
    read_text(payload, "kind", kind, sizeof kind);
    asked->kind = strcmp(kind, "class") == 0 ? HSLINK_CLASS_METHOD : HSLINK_OBJECT_METHOD;
    asked->works = works != NULL && works->tag == HSLINK_BOOL && works->as.i64 != 0;
    if (asked->works && owner->host->begin_work(owner->host) != HSLINK_OK)
        return hslink_fail(call, HSLINK_ERROR_STOPPED, "no work may begin");
    memset(&request, 0, sizeof request);
    request.struct_size = sizeof request;
    request.kind = asked->kind;
    request.class_name = hslink_string_c(asked->class_name);
    request.selector = hslink_string_c(asked->selector);
    request.payload = hslink_map_get(payload, "payload");
    if (object != NULL && object->tag == HSLINK_OBJECT) request.object = object->as.object;
    if (limit != NULL && limit->tag == HSLINK_INT) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        request.deadline =
            (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec + (uint64_t)limit->as.i64 * 1000000u;
    }
    owner->host->call(owner->host, &request, receiver_reply(&asked->reply), &id);
    pthread_mutex_lock(&owner->lock);
    owner->last = id;
    pthread_mutex_unlock(&owner->lock);
    return hslink_return(call, hslink_null());
}

/* Cancels the last call. */
METHOD(cancel_last) {
    asker *owner = call->component;
    hslink_call_id id;
    (void)context; (void)self; (void)payload;
    pthread_mutex_lock(&owner->lock);
    id = owner->last;
    pthread_mutex_unlock(&owner->lock);
    owner->host->cancel(owner->host, id);
    return hslink_return(call, hslink_null());
}

METHOD(now) {
    (void)context; (void)self; (void)payload;
    return hslink_return(call, hslink_bool(1));
}

static int64_t read_count(asker *owner, const int64_t *count) {
    int64_t result;
    pthread_mutex_lock(&owner->lock);
    result = *count;
    pthread_mutex_unlock(&owner->lock);
    return result;
}

METHOD(count_answered) {
    asker *owner = call->component;
    (void)context; (void)self; (void)payload;
    return hslink_return(call, hslink_int(read_count(owner, &owner->answered)));
}

METHOD(count_inside) {
    asker *owner = call->component;
    (void)context; (void)self; (void)payload;
    return hslink_return(call, hslink_int(read_count(owner, &owner->inside)));
}

/* The name of the thread of the last callback. */
METHOD(name_thread) {
    asker *owner = call->component;
    char thread[sizeof owner->thread];
    (void)context; (void)self; (void)payload;
    pthread_mutex_lock(&owner->lock);
    memcpy(thread, owner->thread, sizeof thread);
    pthread_mutex_unlock(&owner->lock);
    return hslink_return(call, hslink_text(thread));
}

/* The text that the call of the last callback was answered with. */
METHOD(give_answer) {
    asker *owner = call->component;
    char text[sizeof owner->answer];
    (void)context; (void)self; (void)payload;
    pthread_mutex_lock(&owner->lock);
    memcpy(text, owner->answer, sizeof text);
    pthread_mutex_unlock(&owner->lock);
    return hslink_return(call, hslink_text(text));
}

METHOD(give_object) {
    (void)context; (void)self; (void)payload;
    return hslink_return(call, hslink_object_value(call->component));
}

METHOD(release_all) {
    (void)context; (void)self; (void)payload;
    let_go(call->component);
    return hslink_return(call, hslink_null());
}

static void keep(hslink_object *self) { (void)self; }

static int32_t invoke(hslink_object *self, hslink_string selector, const hslink_value *payload, const hslink_call *call) {
    (void)selector; (void)payload;
    let_go((asker *)(void *)self);
    return hslink_return(call, hslink_null());
}

static const hslink_object_type type = HSLINK_OBJECT_TYPE("AsksOthersObject", keep, keep, invoke, NULL);

static int32_t create(const hslink_descriptor *self, const hslink_host *host, void **component,
                      const hslink_failure *failure) {
    asker *owner = calloc(1, sizeof *owner);
    (void)self;
    if (owner == NULL) return hslink_report(failure, HSLINK_ERROR_FAILED, "no memory");
    owner->object.type = &type;
    owner->host = host;
    pthread_mutex_init(&owner->lock, NULL);
    pthread_cond_init(&owner->changed, NULL);
    *component = owner;
    host->enter(host);
    return 0;
}

static const hslink_method methods[] = {
    {HSLINK_LITERAL("ask"), HSLINK_CLASS_METHOD, 0, ask, NULL},
    {HSLINK_LITERAL("cancel"), HSLINK_CLASS_METHOD, 0, cancel_last, NULL},
    {HSLINK_LITERAL("now"), HSLINK_CLASS_METHOD, 0, now, NULL},
    {HSLINK_LITERAL("answered"), HSLINK_CLASS_METHOD, HSLINK_METHOD_QUICK, count_answered, NULL},
    {HSLINK_LITERAL("inside"), HSLINK_CLASS_METHOD, HSLINK_METHOD_QUICK, count_inside, NULL},
    {HSLINK_LITERAL("thread"), HSLINK_CLASS_METHOD, 0, name_thread, NULL},
    {HSLINK_LITERAL("answer"), HSLINK_CLASS_METHOD, 0, give_answer, NULL},
    {HSLINK_LITERAL("object"), HSLINK_CLASS_METHOD, 0, give_object, NULL},
    {HSLINK_LITERAL("release"), HSLINK_CLASS_METHOD, 0, release_all, NULL},
};
static const hslink_class link_class = HSLINK_CLASS("AsksOthersLink", methods, NULL, NULL);
static const hslink_class *const classes[] = {&link_class};
/* Never destroyed, because callbacks that still block need its state. */
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("AsksOthers", "1.0.0", classes, create, NULL);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
