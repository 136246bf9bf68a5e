/* Versioned: works; one source builds 1.0.0 and 2.0.0 of the same component. */
#include "hslink.h"

#ifndef FIXTURE_VERSION
#error "the build script says which version: -DFIXTURE_VERSION"
#endif

HSLINK_MANIFEST("{\"name\": \"Versioned\", \"version\": \"" FIXTURE_VERSION "\", \"classes\": [{"
                "\"name\": \"VersionedLink\", \"selectors\": [{\"name\": \"version\", \"kind\": \"class\"}]}]}")

static int32_t version(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    (void)context; (void)self; (void)payload;
    return hslink_return(call, hslink_text(FIXTURE_VERSION));
}

static const hslink_method methods[] = {{HSLINK_LITERAL("version"), HSLINK_CLASS_METHOD, 0, version, NULL}};
static const hslink_class link_class = HSLINK_CLASS("VersionedLink", methods, NULL, NULL);
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("Versioned", FIXTURE_VERSION, classes, NULL, NULL);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
