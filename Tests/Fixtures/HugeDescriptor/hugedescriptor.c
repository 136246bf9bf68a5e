/* HugeDescriptor: one source builds four components: a name in the descriptor, or the message that create reports,
 * claims to have SIZE_MAX bytes. */
#include "hslink.h"

#ifndef FIXTURE_NAME
#error "the build script says which: -DFIXTURE_NAME and -DFIXTURE_HUGE_COMPONENT, _CLASS, _METHOD or _REPORT"
#endif

#define HUGE_LITERAL(text) {("" text), SIZE_MAX}
#ifdef FIXTURE_HUGE_COMPONENT
#define COMPONENT_NAME HUGE_LITERAL(FIXTURE_NAME)
#else
#define COMPONENT_NAME HSLINK_LITERAL(FIXTURE_NAME)
#endif
#ifdef FIXTURE_HUGE_CLASS
#define CLASS_NAME HUGE_LITERAL(FIXTURE_NAME "Link")
#else
#define CLASS_NAME HSLINK_LITERAL(FIXTURE_NAME "Link")
#endif
#ifdef FIXTURE_HUGE_METHOD
#define METHOD_NAME HUGE_LITERAL("run")
#else
#define METHOD_NAME HSLINK_LITERAL("run")
#endif

HSLINK_MANIFEST("{\"name\": \"" FIXTURE_NAME "\", \"version\": \"1.0.0\", \"classes\": ["
                "{\"name\": \"" FIXTURE_NAME "Link\", \"selectors\": ["
                "{\"name\": \"run\", \"kind\": \"class\"}]}]}")

static int32_t run(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    (void)context; (void)self; (void)payload;
    return hslink_return(call, hslink_bool(1));
}

static int32_t create(const hslink_descriptor *self, const hslink_host *host, void **component,
                      const hslink_failure *failure) {
    (void)self; (void)host; (void)component; (void)failure;
#ifdef FIXTURE_HUGE_REPORT
    hslink_error error = hslink_error_make(HSLINK_ERROR_FAILED, "");
    error.message = hslink_string_make("huge", SIZE_MAX);
    failure->report(failure->context, &error);
    return 1;
#else
    return 0;
#endif
}

static const hslink_method methods[] = {{METHOD_NAME, HSLINK_CLASS_METHOD, 0, run, NULL}};
static const hslink_class link_class = {
    .struct_size = sizeof(hslink_class),
    .instances = HSLINK_SHARED,
    .name = CLASS_NAME,
    .methods = methods,
    .method_count = 1,
    .method_stride = sizeof(hslink_method),
};
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor = {
    .magic = HSLINK_MAGIC,
    .struct_size = sizeof(hslink_descriptor),
    .abi_major = HSLINK_ABI_MAJOR,
    .abi_minor = HSLINK_ABI_MINOR,
    .name = COMPONENT_NAME,
    .version = HSLINK_LITERAL("1.0.0"),
    .classes = classes,
    .class_count = 1,
    .create = create,
};
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
