/* OtherCompiler: its notes claim Swift 5.10, and it shares libswiftCore.so with its host. */
#include "hslink.h"

HSLINK_NOTE(component, HSLINK_NOTE_COMPONENT,
            "{\"name\": \"OtherCompiler\", \"version\": \"1.0.0\", \"classes\": ["
            "{\"name\": \"OtherCompilerLink\", \"selectors\": [{\"name\": \"run\", \"kind\": \"class\"}]}]}")
HSLINK_NOTE(toolchain, HSLINK_NOTE_TOOLCHAIN, "{\"abi\": \"1.0\", \"compiler\": \"5.10\"}")

static int32_t run(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    (void)context; (void)self; (void)payload;
    return hslink_return(call, hslink_bool(1));
}

static const hslink_method methods[] = {{HSLINK_LITERAL("run"), HSLINK_CLASS_METHOD, 0, run, NULL}};
static const hslink_class link_class = HSLINK_CLASS("OtherCompilerLink", methods, NULL, NULL);
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("OtherCompiler", "1.0.0", classes, NULL, NULL);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
