/* Extended: works; it provides extensions, requests those of others, and uses enter, leave and work. */
#include <pthread.h>
#include <stdlib.h>

#include "hslink.h"

HSLINK_MANIFEST("{\"name\": \"Extended\", \"version\": \"1.0.0\", \"classes\": ["
                "{\"name\": \"ExtendedLink\", \"selectors\": ["
                "{\"name\": \"object\", \"kind\": \"class\"}, "
                "{\"name\": \"ownerOf\", \"kind\": \"class\"}, "
                "{\"name\": \"stopped\", \"kind\": \"class\"}, "
                "{\"name\": \"beginWork\", \"kind\": \"class\"}, "
                "{\"name\": \"endWork\", \"kind\": \"class\"}, "
                "{\"name\": \"enter\", \"kind\": \"class\"}, "
                "{\"name\": \"leave\", \"kind\": \"class\"}, "
                "{\"name\": \"carried\", \"kind\": \"class\"}, "
                "{\"name\": \"carry\", \"kind\": \"class\"}]}]}")

/* The component value, and the one object that it returns. */
typedef struct state {
    hslink_object object;
    const hslink_host *host;
    int64_t stopping_count;
} state;

static void keep(hslink_object *self) { (void)self; } /* it lives as long as the component */

static int32_t invoke(hslink_object *self, hslink_string selector, const hslink_value *payload,
                      const hslink_call *call) {
    (void)self; (void)selector; (void)payload;
    return hslink_fail(call, HSLINK_ERROR_SELECTOR_NOT_FOUND, "it has no selectors");
}

static const hslink_host *owner(hslink_object *self) { return ((state *)(void *)self)->host; }
static const hslink_object_owner owner_table = {sizeof owner_table, 0, owner};

static const void *object_extension(const hslink_object_type *self, hslink_string id) {
    (void)self;
    return hslink_string_equals(id, HSLINK_OWNER) ? &owner_table : NULL;
}

static const hslink_object_type type = HSLINK_OBJECT_TYPE("ExtendedObject", keep, keep, invoke, object_extension);

#define METHOD(name_)                                                                                          \
    static int32_t name_(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call)

METHOD(object) {
    state *here = call->component;
    (void)context; (void)self; (void)payload;
    return hslink_return(call, hslink_object_value(&here->object));
}

/* Returns the name of the component that owns payload "object"; null if it does not report one. */
METHOD(owner_of) {
    const hslink_value *object = hslink_map_get(payload, "object");
    const hslink_host *host;
    (void)context; (void)self;
    if (object == NULL || object->tag != HSLINK_OBJECT)
        return hslink_fail(call, HSLINK_ERROR_PAYLOAD, "object: expected an object");
    host = hslink_owner_of(object->as.object);
    if (host == NULL) return hslink_return(call, hslink_null());
    return hslink_return(call, hslink_utf8(host->component.utf8, (uint32_t)host->component.length));
}

METHOD(stopped) {
    const state *here = call->component;
    (void)context; (void)self; (void)payload;
    return hslink_return(call, hslink_int(here->stopping_count));
}

METHOD(begin_work) {
    const state *here = call->component;
    (void)context; (void)self; (void)payload;
    return hslink_return(call, hslink_int(here->host->begin_work(here->host)));
}

METHOD(end_work) {
    const state *here = call->component;
    (void)context; (void)self; (void)payload;
    here->host->end_work(here->host);
    return hslink_return(call, hslink_null());
}

/* Enters twice and leaves twice. */
METHOD(enter) {
    const state *here = call->component;
    const hslink_host *host = here->host;
    int32_t outer = host->enter(host);
    int32_t inner = host->enter(host);
    (void)context; (void)self; (void)payload;
    if (inner == HSLINK_OK) host->leave(host);
    if (outer == HSLINK_OK) host->leave(host);
    return hslink_return(call, hslink_bool(outer == HSLINK_OK && inner == HSLINK_OK));
}

/* The carried strings, as `carried` of the call below sees them. */
METHOD(carried) {
    (void)context; (void)self; (void)payload;
    return hslink_return(call, call->carried == NULL ? hslink_null() : *call->carried);
}

/* Calls `carried`, and carries payload "carried" if there is one. */
METHOD(carry) {
    const state *here = call->component;
    hslink_request request;
    (void)context; (void)self;
    memset(&request, 0, sizeof request);
    request.struct_size = sizeof request;
    request.kind = HSLINK_CLASS_METHOD;
    request.class_name = hslink_string_c("ExtendedLink");
    request.selector = hslink_string_c("carried");
    request.carried = hslink_map_get(payload, "carried");
    return here->host->call(here->host, &request, call->reply, NULL);
}

static void *leave_alone(void *host_) {
    const hslink_host *host = host_;
    host->leave(host);
    return NULL;
}

/* Leaves without having entered, on a new thread that runs in no component. */
METHOD(leave) {
    const state *here = call->component;
    pthread_t thread;
    (void)context; (void)self; (void)payload;
    if (pthread_create(&thread, NULL, leave_alone, (void *)here->host) != 0)
        return hslink_fail(call, HSLINK_ERROR_FAILED, "no thread");
    pthread_join(thread, NULL);
    return hslink_return(call, hslink_null());
}

static int32_t create(const hslink_descriptor *self, const hslink_host *host, void **component,
                      const hslink_failure *failure) {
    state *here = calloc(1, sizeof *here);
    (void)self;
    if (here == NULL) return hslink_report(failure, HSLINK_ERROR_FAILED, "no memory");
    here->object.type = &type;
    here->host = host;
    *component = here;
    return 0;
}

static void destroy(const hslink_descriptor *self, void *component) {
    (void)self;
    free(component);
}

static void stopping(const hslink_descriptor *self, void *component) {
    (void)self;
    ((state *)component)->stopping_count++;
}
static const hslink_stopping stopping_table = {sizeof stopping_table, 0, stopping};

static const void *get_extension(const hslink_descriptor *self, hslink_string id) {
    (void)self;
    return hslink_string_equals(id, HSLINK_STOPPING) ? &stopping_table : NULL;
}

static const hslink_method methods[] = {
    {HSLINK_LITERAL("object"), HSLINK_CLASS_METHOD, 0, object, NULL},
    {HSLINK_LITERAL("ownerOf"), HSLINK_CLASS_METHOD, 0, owner_of, NULL},
    {HSLINK_LITERAL("stopped"), HSLINK_CLASS_METHOD, 0, stopped, NULL},
    {HSLINK_LITERAL("beginWork"), HSLINK_CLASS_METHOD, 0, begin_work, NULL},
    {HSLINK_LITERAL("endWork"), HSLINK_CLASS_METHOD, 0, end_work, NULL},
    {HSLINK_LITERAL("enter"), HSLINK_CLASS_METHOD, 0, enter, NULL},
    {HSLINK_LITERAL("leave"), HSLINK_CLASS_METHOD, 0, leave, NULL},
    {HSLINK_LITERAL("carried"), HSLINK_CLASS_METHOD, 0, carried, NULL},
    {HSLINK_LITERAL("carry"), HSLINK_CLASS_METHOD, 0, carry, NULL},
};
static const hslink_class link_class = HSLINK_CLASS("ExtendedLink", methods, NULL, NULL);
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor =
    HSLINK_DESCRIPTOR_EXTENDED("Extended", "1.0.0", classes, create, destroy, get_extension);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
