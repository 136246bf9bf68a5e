/* DeepNesting: replies with 10,000 nested arrays. */
#include "hslink.h"

#include <stdlib.h>

HSLINK_MANIFEST("{\"name\": \"DeepNesting\", \"version\": \"1.0.0\", \"classes\": ["
                "{\"name\": \"DeepNestingLink\", \"selectors\": ["
                "{\"name\": \"run\", \"kind\": \"class\"}]}]}")

enum { DEPTH = 10000 };

static int32_t run(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    hslink_value *levels = calloc(DEPTH, sizeof *levels); /* the innermost is null */
    int level;
    (void)context; (void)self; (void)payload;
    if (levels == NULL) return hslink_fail(call, HSLINK_ERROR_FAILED, "no memory for the levels");
    for (level = 1; level < DEPTH; level++) levels[level] = hslink_array(&levels[level - 1], 1);
    hslink_return(call, levels[DEPTH - 1]);
    free(levels);
    return HSLINK_REPLIED;
}

static const hslink_method methods[] = {{HSLINK_LITERAL("run"), HSLINK_CLASS_METHOD, 0, run, NULL}};
static const hslink_class link_class = HSLINK_CLASS("DeepNestingLink", methods, NULL, NULL);
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("DeepNesting", "1.0.0", classes, NULL, NULL);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
