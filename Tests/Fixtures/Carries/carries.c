/* Carries: returns the texts that its calls carry, both incoming and outgoing, also from an object. */
#include "hslink.h"

HSLINK_MANIFEST("{\"name\": \"Carries\", \"version\": \"1.0.0\", \"classes\": ["
                "{\"name\": \"CarriesLink\", \"selectors\": ["
                "{\"name\": \"carried\", \"kind\": \"class\"}, {\"name\": \"carriedByOther\", \"kind\": \"class\"}, "
                "{\"name\": \"carriedByOtherLater\", \"kind\": \"class\"}, "
                "{\"name\": \"carriedByOtherInstead\", \"kind\": \"class\"}, "
                "{\"name\": \"asker\", \"kind\": \"class\"}]}]}")

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

/* An object that passes its calls on. It is never freed. */
typedef struct asker {
    hslink_object base;
    const hslink_host *host;
} asker;

static void keep(hslink_object *self) { (void)self; }

static int32_t ask(hslink_object *self, hslink_string selector, const hslink_value *payload, const hslink_call *call) {
    (void)payload;
    return pass_on(((asker *)self)->host, call, hslink_string_equals(selector, "later") ? HSLINK_DETACH : 0, NULL);
}

static const hslink_object_type asker_type = {
    sizeof(hslink_object_type), 0, HSLINK_LITERAL("asker"), keep, keep, ask, NULL};

static int32_t make_asker(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    static asker object = {{&asker_type}, NULL};
    (void)context; (void)self; (void)payload;
    object.host = call->component;
    return hslink_return(call, hslink_object_value(&object.base));
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
};
static const hslink_class link_class = HSLINK_CLASS("CarriesLink", methods, NULL, NULL);
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("Carries", "1.0.0", classes, create, NULL);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
