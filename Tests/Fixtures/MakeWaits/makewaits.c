/* MakeWaits: make waits for a thread that calls the instance which is being made. */
#include "answer.h"

HSLINK_MANIFEST("{\"name\": \"MakeWaits\", \"version\": \"1.0.0\", \"classes\": ["
                "{\"name\": \"MakeWaitsLink\", \"selectors\": [{\"name\": \"run\", \"kind\": \"object\"}]}]}")

/* An instance, which is never freed, with the code that the call within make received. */
typedef struct instance {
    hslink_object base;
    int32_t code;
} instance;

static void keep(hslink_object *self) { (void)self; }

static int32_t invoke(hslink_object *self, hslink_string selector, const hslink_value *payload, const hslink_call *call) {
    (void)self; (void)selector; (void)payload;
    return hslink_fail(call, HSLINK_ERROR_SELECTOR_NOT_FOUND, "none");
}

static const hslink_object_type type = {
    sizeof(hslink_object_type), 0, HSLINK_LITERAL("MakeWaits"), keep, keep, invoke, NULL};

static int32_t run(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    (void)context; (void)payload;
    return hslink_return(call, hslink_int(((instance *)self)->code));
}

typedef struct job {
    const hslink_host *host;
    int32_t code;
} job;

static void *call_from_thread(void *context) {
    job *todo = context;
    todo->code = answer_to(todo->host, HSLINK_OBJECT_METHOD, "MakeWaitsLink", "run", NULL, 0, 60).code;
    return NULL;
}

static int32_t make(void *context, void *component, hslink_object **made, const hslink_failure *failure) {
    job todo = {component, 0};
    pthread_t thread;
    instance *object = calloc(1, sizeof *object);
    (void)context;
    if (object == NULL) return hslink_report(failure, HSLINK_ERROR_FAILED, "no memory");
    if (pthread_create(&thread, NULL, call_from_thread, &todo) != 0) abort();
    pthread_join(thread, NULL);
    object->base.type = &type;
    object->code = todo.code;
    *made = &object->base;
    return 0;
}

static int32_t create(const hslink_descriptor *self, const hslink_host *host, void **component,
                      const hslink_failure *failure) {
    (void)self; (void)failure;
    *component = (void *)(uintptr_t)host;
    return 0;
}

static const hslink_method methods[] = {{HSLINK_LITERAL("run"), HSLINK_OBJECT_METHOD, 0, run, NULL}};
static const hslink_class link_class = HSLINK_CLASS("MakeWaitsLink", methods, make, NULL);
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("MakeWaits", "1.0.0", classes, create, NULL);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
