/* FutureMinor: works; it was built with a later minor ABI, whose structs are longer. */
#include "hslink.h"

HSLINK_MANIFEST("{\"name\": \"FutureMinor\", \"version\": \"1.0.0\", \"classes\": ["
                "{\"name\": \"FutureMinorLink\", \"selectors\": ["
                "{\"name\": \"run\", \"kind\": \"class\"}, "
                "{\"name\": \"again\", \"kind\": \"class\"}]}]}")

static int32_t run(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    (void)context; (void)self; (void)payload;
    return hslink_return(call, hslink_bool(1));
}

/* What ABI 1.7 might look like: each struct has grown at its end. */
typedef struct future_method {
    hslink_method method;
    uint64_t more;
} future_method;
typedef struct future_class {
    hslink_class link_class;
    uint64_t more[2];
} future_class;
typedef struct future_descriptor {
    hslink_descriptor descriptor;
    uint64_t more[3];
} future_descriptor;

static const future_method methods[] = {
    {{HSLINK_LITERAL("run"), HSLINK_CLASS_METHOD, 0, run, NULL}, UINT64_MAX},
    {{HSLINK_LITERAL("again"), HSLINK_CLASS_METHOD, 0, run, NULL}, UINT64_MAX},
};
static const future_class link_class = {
    {
        .struct_size = sizeof(future_class),
        .instances = HSLINK_SHARED,
        .name = HSLINK_LITERAL("FutureMinorLink"),
        .methods = &methods[0].method,
        .method_count = 2,
        .method_stride = sizeof(future_method),
    },
    {UINT64_MAX, UINT64_MAX},
};
static const hslink_class *const classes[] = {&link_class.link_class};
static const future_descriptor descriptor = {
    {
        .magic = HSLINK_MAGIC,
        .struct_size = sizeof(future_descriptor),
        .abi_major = HSLINK_ABI_MAJOR,
        .abi_minor = 7,
        .name = HSLINK_LITERAL("FutureMinor"),
        .version = HSLINK_LITERAL("1.0.0"),
        .classes = classes,
        .class_count = 1,
    },
    {UINT64_MAX, UINT64_MAX, UINT64_MAX},
};
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor.descriptor; }
