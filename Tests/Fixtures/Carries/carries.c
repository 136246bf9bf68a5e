/* Carries: returns the texts that its calls carry, both incoming and outgoing, also from an object, and from an event
 * that the handler of another one posts. */
#include "answer.h"

HSLINK_MANIFEST("{\"name\": \"Carries\", \"version\": \"1.0.0\", "
                "\"posts\": [\"org.hslink.fixture/carriesNext\"], \"classes\": ["
                "{\"name\": \"CarriesLink\", \"selectors\": ["
                "{\"name\": \"carried\", \"kind\": \"class\"}, {\"name\": \"carriedByOther\", \"kind\": \"class\"}, "
                "{\"name\": \"carriedByOtherLater\", \"kind\": \"class\"}, "
                "{\"name\": \"carriedByOtherInstead\", \"kind\": \"class\"}, "
                "{\"name\": \"asker\", \"kind\": \"class\"}, "
                "{\"name\": \"first\", \"kind\": \"class\", "
                "\"on\": {\"event\": \"org.hslink.fixture/carriesFirst\"}}, "
                "{\"name\": \"next\", \"kind\": \"class\", "
                "\"on\": {\"event\": \"org.hslink.fixture/carriesNext\"}}, "
                "{\"name\": \"isHolding\", \"kind\": \"class\"}, {\"name\": \"letGo\", \"kind\": \"class\"}, "
                "{\"name\": \"nextSession\", \"kind\": \"class\"}]}]}")

static int32_t carried(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    (void)context; (void)self; (void)payload;
    return hslink_return(call, call->carried != NULL ? *call->carried : hslink_map(NULL, 0));
}

/* Passes its reply on to another call, with the inherited texts or with a different one. */
static int32_t pass_on(const hslink_host *host, const hslink_call *call, uint64_t flags, const hslink_value *instead) {
    hslink_request request;
    memset(&request, 0, sizeof request);
    request.struct_size = sizeof request;
    request.kind = HSLINK_CLASS_METHOD;
    request.class_name = hslink_string_c("CarriesLink");
    request.selector = hslink_string_c("carried");
    request.flags = flags;
    request.carried = instead;
    return host->call(host, &request, call->reply, NULL);
}

static int32_t by_other(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    (void)context; (void)self; (void)payload;
    return pass_on(call->component, call, 0, NULL);
}

static int32_t by_other_later(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    (void)context; (void)self; (void)payload;
    return pass_on(call->component, call, HSLINK_DETACH, NULL);
}

static int32_t by_other_instead(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    const hslink_entry entries[] = {hslink_entry_make("tenant", hslink_text("other"))};
    const hslink_value instead = hslink_map(entries, 1);
    (void)context; (void)self; (void)payload;
    return pass_on(call->component, call, 0, &instead);
}

/* An object that passes its calls on. It is never freed. It has no extensions and makes no brackets, so the host marks
 * the threads that run it. */
typedef struct asker {
    hslink_object base;
    const hslink_host *host;
    int64_t depth; /* how often `recur` was called */
} asker;

static void keep(hslink_object *self) { (void)self; }

/* Calls the object itself through the host, without an end of its own. */
static int32_t recur(asker *this, const hslink_call *call) {
    hslink_request request;
    this->depth++;
    memset(&request, 0, sizeof request);
    request.struct_size = sizeof request;
    request.selector = hslink_string_c("recur");
    request.object = &this->base;
    return this->host->call(this->host, &request, call->reply, NULL);
}

static int32_t ask(hslink_object *self, hslink_string selector, const hslink_value *payload, const hslink_call *call) {
    asker *this = (asker *)self;
    (void)payload;
    if (hslink_string_equals(selector, "recur")) return recur(this, call);
    if (hslink_string_equals(selector, "depth")) return hslink_return(call, hslink_int(this->depth));
    return pass_on(this->host, call, hslink_string_equals(selector, "later") ? HSLINK_DETACH : 0, NULL);
}

static const hslink_object_type asker_type = {
    sizeof(hslink_object_type), 0, HSLINK_LITERAL("asker"), keep, keep, ask, NULL};

static int32_t make_asker(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    static asker object = {{&asker_type}, NULL, 0};
    (void)context; (void)self; (void)payload;
    object.host = call->component;
    return hslink_return(call, hslink_object_value(&object.base));
}

/* The reply of the handler `first`, and what the handler `next` has seen. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static hslink_reply held;
static int is_holding, has_seen;
static char next_session[64];

/* Posts another event, and replies once it is let go. */
static int32_t first(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    const hslink_value *delivery = hslink_map_get(payload, "hslink.delivery");
    hslink_entry entries[2];
    hslink_value post;
    answer posted;
    (void)context; (void)self;
    if (delivery == NULL) return hslink_fail(call, HSLINK_ERROR_PAYLOAD, "hslink.delivery: expected a number");
    entries[0] = hslink_entry_make("event", hslink_text("org.hslink.fixture/carriesNext"));
    entries[1] = hslink_entry_make("hslink.delivery", *delivery);
    post = hslink_map(entries, 2);
    posted = answer_of(call->component, "hslink.Events", "post", &post, 60);
    if (posted.state != ANSWER_GIVEN || posted.code != 0)
        return hslink_fail(call, HSLINK_ERROR_FAILED, "the event was not posted");
    pthread_mutex_lock(&lock);
    held = call->reply;
    is_holding = 1;
    pthread_mutex_unlock(&lock);
    return HSLINK_LATER;
}

static int32_t next(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    const hslink_value *session = hslink_map_get(call->carried, "session");
    (void)context; (void)self; (void)payload;
    pthread_mutex_lock(&lock);
    has_seen = 1;
    memset(next_session, 0, sizeof next_session);
    if (session != NULL && session->tag == HSLINK_STRING && session->length < sizeof next_session)
        memcpy(next_session, session->as.utf8, session->length);
    pthread_mutex_unlock(&lock);
    return hslink_return(call, hslink_null());
}

static int32_t holds(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    int result;
    (void)context; (void)self; (void)payload;
    pthread_mutex_lock(&lock);
    result = is_holding;
    pthread_mutex_unlock(&lock);
    return hslink_return(call, hslink_bool(result));
}

static int32_t let_go(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    hslink_reply reply;
    int was_holding;
    (void)context; (void)self; (void)payload;
    pthread_mutex_lock(&lock);
    reply = held;
    was_holding = is_holding;
    is_holding = 0;
    pthread_mutex_unlock(&lock);
    if (was_holding) reply.ops->complete(reply.slot, reply.token, NULL, NULL);
    return hslink_return(call, hslink_bool(was_holding));
}

/* The session that the handler `next` has seen, empty if its call carried none; null if it was not called yet. */
static int32_t seen(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    char session[sizeof next_session];
    int is_known;
    (void)context; (void)self; (void)payload;
    pthread_mutex_lock(&lock);
    is_known = has_seen;
    memcpy(session, next_session, sizeof session);
    pthread_mutex_unlock(&lock);
    return hslink_return(call, is_known ? hslink_text(session) : hslink_null());
}

static int32_t create(const hslink_descriptor *self, const hslink_host *host, void **component,
                      const hslink_failure *failure) {
    (void)self; (void)failure;
    *component = (void *)(uintptr_t)host;
    return 0;
}

static const hslink_method methods[] = {
    {HSLINK_LITERAL("carried"), HSLINK_CLASS_METHOD, 0, carried, NULL},
    {HSLINK_LITERAL("carriedByOther"), HSLINK_CLASS_METHOD, 0, by_other, NULL},
    {HSLINK_LITERAL("carriedByOtherLater"), HSLINK_CLASS_METHOD, 0, by_other_later, NULL},
    {HSLINK_LITERAL("carriedByOtherInstead"), HSLINK_CLASS_METHOD, 0, by_other_instead, NULL},
    {HSLINK_LITERAL("asker"), HSLINK_CLASS_METHOD, 0, make_asker, NULL},
    {HSLINK_LITERAL("first"), HSLINK_CLASS_METHOD, 0, first, NULL},
    {HSLINK_LITERAL("next"), HSLINK_CLASS_METHOD, 0, next, NULL},
    {HSLINK_LITERAL("isHolding"), HSLINK_CLASS_METHOD, 0, holds, NULL},
    {HSLINK_LITERAL("letGo"), HSLINK_CLASS_METHOD, 0, let_go, NULL},
    {HSLINK_LITERAL("nextSession"), HSLINK_CLASS_METHOD, 0, seen, NULL},
};
static const hslink_class link_class = HSLINK_CLASS("CarriesLink", methods, NULL, NULL);
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("Carries", "1.0.0", classes, create, NULL);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
