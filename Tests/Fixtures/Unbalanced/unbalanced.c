/* Unbalanced: leaves without having entered, enters without leaving, also in an object and in a callback, and ends work that never began. */
#include "answer.h"
#include "hslink.h"
#include "receiver.h"

HSLINK_MANIFEST("{\"name\": \"Unbalanced\", \"version\": \"1.0.0\", \"classes\": ["
                "{\"name\": \"UnbalancedLink\", \"selectors\": ["
                "{\"name\": \"leave\", \"kind\": \"class\"}, {\"name\": \"enter\", \"kind\": \"class\"}, "
                "{\"name\": \"deep\", \"kind\": \"class\"}, {\"name\": \"endWork\", \"kind\": \"class\"}, {\"name\": \"run\", \"kind\": \"class\"}, "
                "{\"name\": \"object\", \"kind\": \"class\"}, {\"name\": \"ask\", \"kind\": \"class\"}]}]}")

static const hslink_host *host_of(const hslink_call *call) { return call->component; }

static int32_t leave(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    (void)context; (void)self; (void)payload;
    for (int count = 0; count < 1000; count++) host_of(call)->leave(host_of(call));
    return hslink_return(call, hslink_bool(1));
}

static int32_t enter(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    int32_t entered = 0;
    (void)context; (void)self; (void)payload;
    for (int count = 0; count < 1000; count++) entered += host_of(call)->enter(host_of(call)) == HSLINK_OK;
    return hslink_return(call, hslink_int(entered));
}

/* Enters "levels" times, calls CreateCallsBack from there and answers with the code of the error, 0 for none. */
static int32_t deep(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    const hslink_value *levels = hslink_map_get(payload, "levels");
    answer result;
    int64_t entered = 0;
    (void)context; (void)self;
    if (levels == NULL || levels->tag != HSLINK_INT)
        return hslink_fail(call, HSLINK_ERROR_PAYLOAD, "levels");
    while (entered < levels->as.i64 && host_of(call)->enter(host_of(call)) == HSLINK_OK) entered++;
    result = answer_of(host_of(call), "CreateCallsBackLink", "answer", NULL, 30);
    while (entered-- > 0) host_of(call)->leave(host_of(call));
    return hslink_return(call, hslink_int(result.code));
}

static int32_t end_work(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    (void)context; (void)self; (void)payload;
    for (int count = 0; count < 3; count++) host_of(call)->end_work(host_of(call));
    return hslink_return(call, hslink_bool(host_of(call)->begin_work(host_of(call)) == HSLINK_OK));
}

static int32_t run(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    (void)context; (void)self; (void)payload;
    host_of(call)->end_work(host_of(call));
    return hslink_return(call, hslink_bool(1));
}

/* An object whose method enters once, and leaves never. It is never freed. */
typedef struct entering {
    hslink_object base;
    const hslink_host *host;
} entering;

static void keep(hslink_object *self) { (void)self; }

static int32_t invoke(hslink_object *self, hslink_string selector, const hslink_value *payload, const hslink_call *call) {
    const hslink_host *host = ((entering *)self)->host;
    (void)selector; (void)payload;
    return hslink_return(call, hslink_bool(host->enter(host) == HSLINK_OK));
}

static const hslink_object_type entering_type = {
    sizeof(hslink_object_type), 0, HSLINK_LITERAL("entering"), keep, keep, invoke, NULL};

static int32_t make_object(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    static entering object = {{&entering_type}, NULL};
    (void)context; (void)self; (void)payload;
    object.host = host_of(call);
    return hslink_return(call, hslink_object_value(&object.base));
}

/* A call whose callback enters once and does not leave. */
typedef struct question {
    receiver reply; /* first */
    const hslink_host *host;
} question;

static int32_t enter_once(receiver *self) {
    const hslink_host *host = ((question *)self)->host;
    return host->enter(host) == HSLINK_OK ? HSLINK_OK : HSLINK_LATE;
}

/* Calls this class, with a callback that enters. */
static int32_t ask(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    hslink_request request;
    question *asked = receiver_new(sizeof *asked, enter_once);
    (void)context; (void)self; (void)payload;
    asked->host = host_of(call);
    memset(&request, 0, sizeof request);
    request.struct_size = sizeof request;
    request.kind = HSLINK_CLASS_METHOD;
    request.class_name = hslink_string_c("UnbalancedLink");
    request.selector = hslink_string_c("leave");
    request.flags = HSLINK_DETACH; /* otherwise the callback runs within this method, whose marks the host looks at */
    host_of(call)->call(host_of(call), &request, receiver_reply(&asked->reply), NULL);
    return hslink_return(call, hslink_bool(1));
}

static int32_t create(const hslink_descriptor *self, const hslink_host *host, void **component,
                      const hslink_failure *failure) {
    (void)self; (void)failure;
    *component = (void *)(uintptr_t)host;
    return 0;
}

static const hslink_method methods[] = {
    {HSLINK_LITERAL("leave"), HSLINK_CLASS_METHOD, 0, leave, NULL},
    {HSLINK_LITERAL("enter"), HSLINK_CLASS_METHOD, 0, enter, NULL},
    {HSLINK_LITERAL("deep"), HSLINK_CLASS_METHOD, 0, deep, NULL},
    {HSLINK_LITERAL("endWork"), HSLINK_CLASS_METHOD, 0, end_work, NULL},
    {HSLINK_LITERAL("run"), HSLINK_CLASS_METHOD, 0, run, NULL},
    {HSLINK_LITERAL("object"), HSLINK_CLASS_METHOD, 0, make_object, NULL},
    {HSLINK_LITERAL("ask"), HSLINK_CLASS_METHOD, 0, ask, NULL},
};
static const hslink_class link_class = HSLINK_CLASS("UnbalancedLink", methods, NULL, NULL);
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("Unbalanced", "1.0.0", classes, create, NULL);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
