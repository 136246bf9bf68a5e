/* KeepsData: asks its host for a data directory, through an extension that a host may not have. */
#include "hslink.h"

HSLINK_MANIFEST("{\"name\": \"KeepsData\", \"version\": \"1.0.0\", \"classes\": [{\"name\": \"KeepsDataLink\","
                " \"selectors\": [{\"name\": \"directory\", \"kind\": \"class\"}, {\"name\": \"unknown\", \"kind\": \"class\"}]}]}")

/* Passes on why there is none; `context` is the call to answer. */
static void refuse(void *context, const hslink_error *error) {
    const hslink_call *call = context;
    call->reply.ops->complete(call->reply.slot, call->reply.token, NULL, error);
}

/* Returns the path, or the reason why there is none. */
static int32_t directory(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    const hslink_host *host = call->component;
    const hslink_host_data *data = host->get_extension(host, hslink_string_c(HSLINK_DATA));
    const hslink_failure failure = {refuse, (void *)call};
    hslink_string path = {NULL, 0};
    (void)context; (void)self; (void)payload;
    if (data == NULL || data->struct_size < sizeof *data)
        return hslink_fail(call, HSLINK_ERROR_FAILED, "the host has no " HSLINK_DATA);
    if (data->directory(host, &path, &failure) != 0) return HSLINK_REPLIED;
    if (path.utf8[path.length] != '\0') return hslink_fail(call, HSLINK_ERROR_FAILED, "the path has no end");
    return hslink_return(call, hslink_utf8(path.utf8, (uint32_t)path.length));
}

/* Whether the host has an extension that does not exist, and whether it answers without a receiver for the reason. */
static int32_t unknown(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    const hslink_host *host = call->component;
    const hslink_host_data *data = host->get_extension(host, hslink_string_c(HSLINK_DATA));
    hslink_string path = {NULL, 0};
    (void)context; (void)self; (void)payload;
    if (data != NULL) (void)data->directory(host, &path, NULL);
    return hslink_return(call, hslink_bool(host->get_extension(host, hslink_string_c("hslink.data/0")) != NULL
                                           || host->get_extension(host, hslink_string_make(NULL, 0)) != NULL));
}

static int32_t create(const hslink_descriptor *self, const hslink_host *host, void **component,
                      const hslink_failure *failure) {
    (void)self; (void)failure;
    *component = (void *)host;
    return 0;
}

static const hslink_method methods[] = {
    {HSLINK_LITERAL("directory"), HSLINK_CLASS_METHOD, 0, directory, NULL},
    {HSLINK_LITERAL("unknown"), HSLINK_CLASS_METHOD, 0, unknown, NULL},
};
static const hslink_class link_class = HSLINK_CLASS("KeepsDataLink", methods, NULL, NULL);
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("KeepsData", "1.0.0", classes, create, NULL);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
