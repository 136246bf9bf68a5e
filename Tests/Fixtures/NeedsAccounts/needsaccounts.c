/* NeedsAccounts: like Shop, and requires the service and selectors of CGoodLink. */
#include "hslink.h"

HSLINK_MANIFEST("{\"name\": \"NeedsAccounts\", \"version\": \"1.0.0\", \"classes\": [{\"name\": \"NeedsAccountsLink\","
                " \"selectors\": [{\"name\": \"find\", \"kind\": \"class\"}, {\"name\": \"provides\", \"kind\": \"class\"}]}]"
                ", \"requires\": [{\"protocol\": \"AccountService\"},"
                " {\"class\": \"CGoodLink\", \"selectors\": [\"+sum\", \"count\"]},"
                " {\"service\": \"com.example.none/1\", \"optional\": true}]}")
/* The contract that it was compiled against: the first version of Accounts. */
HSLINK_NOTE(service_note, HSLINK_NOTE_SERVICE,
            "{\"module\": \"AccountContract\", \"name\": \"com.example.account/1\", \"protocol\": \"AccountService\","
            " \"selectors\": [{\"name\": \"signIn\", \"kind\": \"class\","
            " \"parameters\": {\"name\": \"String\", \"limit\": \"Int = 10\"}, \"result\": \"User?\"}]}")
HSLINK_NOTE(model_note, HSLINK_NOTE_MODEL,
            "{\"module\": \"AccountContract\", \"name\": \"User\", \"fields\": {\"name\": \"String\", \"nick\": \"String?\"}}")

/* The component value is the host; its answer to hslink.Services goes to the caller unchanged. */
static int32_t pass_on(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    const hslink_host *host = call->component;
    hslink_request request;
    (void)self;
    memset(&request, 0, sizeof request);
    request.struct_size = sizeof request;
    request.kind = HSLINK_CLASS_METHOD;
    request.class_name = hslink_string_c("hslink.Services");
    request.selector = hslink_string_c(context);
    request.payload = payload;
    return host->call(host, &request, call->reply, NULL);
}

static int32_t create(const hslink_descriptor *self, const hslink_host *host, void **component,
                      const hslink_failure *failure) {
    (void)self; (void)failure;
    *component = (void *)host;
    return 0;
}

static const hslink_method methods[] = {
    {HSLINK_LITERAL("find"), HSLINK_CLASS_METHOD, 0, pass_on, "find"},
    {HSLINK_LITERAL("provides"), HSLINK_CLASS_METHOD, 0, pass_on, "provides"},
};
static const hslink_class link_class = HSLINK_CLASS("NeedsAccountsLink", methods, NULL, NULL);
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("NeedsAccounts", "1.0.0", classes, create, NULL);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
