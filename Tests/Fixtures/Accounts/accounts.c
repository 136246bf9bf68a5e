/* Accounts: works; provides com.example.account/1, declared in separate notes. One source builds 1.0.0, 1.1.0 with
 * additions, and 2.0.0, which is incompatible. */
#include "hslink.h"

#ifndef FIXTURE_FORM
#error "the build script says which form: -DFIXTURE_FORM"
#endif

#if FIXTURE_FORM == 1
#define VERSION "1.0.0"
#define PARAMETERS "\"name\": \"String\", \"limit\": \"Int = 10\""
#define USER "\"name\": \"String\", \"nick\": \"String?\""
#elif FIXTURE_FORM == 2
#define VERSION "1.1.0"
#define PARAMETERS "\"name\": \"String\", \"limit\": \"Int = 10\", \"remember\": \"Bool?\""
#define USER "\"name\": \"String\", \"nick\": \"String?\", \"since\": \"Date\""
#else
#define VERSION "2.0.0"
#define PARAMETERS "\"name\": \"Int\", \"limit\": \"Int = 10\""
#define USER "\"name\": \"String\""
#endif

HSLINK_MANIFEST("{\"name\": \"Accounts\", \"version\": \"" VERSION "\"}")
HSLINK_NOTE(class_note, HSLINK_NOTE_LINK_CLASS,
            "{\"module\": \"Accounts\", \"name\": \"AccountsLink\", \"provides\": [\"AccountService\"],"
            " \"selectors\": [{\"name\": \"version\", \"kind\": \"class\", \"result\": \"String\"}]}")
HSLINK_NOTE(service_note, HSLINK_NOTE_SERVICE,
            "{\"module\": \"AccountContract\", \"name\": \"com.example.account/1\", \"protocol\": \"AccountService\","
            " \"selectors\": [{\"name\": \"signIn\", \"kind\": \"class\", \"parameters\": {" PARAMETERS "},"
            " \"result\": \"User?\"}]}")
HSLINK_NOTE(model_note, HSLINK_NOTE_MODEL,
            "{\"module\": \"AccountContract\", \"name\": \"User\", \"fields\": {" USER "}}")

static int32_t version(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    (void)context; (void)self; (void)payload;
    return hslink_return(call, hslink_text(VERSION));
}

static int32_t sign_in(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    (void)context; (void)self; (void)payload;
    return hslink_return(call, hslink_null());
}

static const hslink_method methods[] = {
    {HSLINK_LITERAL("version"), HSLINK_CLASS_METHOD, 0, version, NULL},
    {HSLINK_LITERAL("signIn"), HSLINK_CLASS_METHOD, 0, sign_in, NULL},
};
static const hslink_class link_class = HSLINK_CLASS("AccountsLink", methods, NULL, NULL);
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("Accounts", VERSION, classes, NULL, NULL);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
