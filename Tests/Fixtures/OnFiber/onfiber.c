/* OnFiber: calls CGoodLink.sum through the host from a separate stack, like code on fibers. */
#define _GNU_SOURCE
#include "answer.h"

#include <ucontext.h>

HSLINK_MANIFEST("{\"name\": \"OnFiber\", \"version\": \"1.0.0\", \"classes\": ["
                "{\"name\": \"OnFiberLink\", \"selectors\": [{\"name\": \"run\", \"kind\": \"class\"}]}]}")

enum { STACK_BYTES = 512 * 1024 };

/* One at a time, because a fiber accepts only integer arguments. */
static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
static const hslink_host *host_of_fiber;
static answer given;
static ucontext_t caller, fiber;

static void on_fiber(void) {
    const hslink_entry entries[] = {hslink_entry_make("a", hslink_int(40)), hslink_entry_make("b", hslink_int(2))};
    const hslink_value payload = hslink_map(entries, 2);
    given = answer_of(host_of_fiber, "CGoodLink", "sum", &payload, 60);
}

static int32_t run(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    void *stack = malloc(STACK_BYTES);
    answer result;
    (void)context; (void)self; (void)payload;
    if (stack == NULL) return hslink_fail(call, HSLINK_ERROR_FAILED, "no memory for a stack");
    pthread_mutex_lock(&one);
    host_of_fiber = call->component;
    getcontext(&fiber);
    fiber.uc_stack.ss_sp = stack;
    fiber.uc_stack.ss_size = STACK_BYTES;
    fiber.uc_link = &caller;
    makecontext(&fiber, on_fiber, 0);
    swapcontext(&caller, &fiber);
    result = given;
    pthread_mutex_unlock(&one);
    free(stack);
    if (result.code != 0) return hslink_fail(call, result.code, "the call from the fiber failed");
    return hslink_return(call, hslink_int(result.number));
}

static int32_t create(const hslink_descriptor *self, const hslink_host *host, void **component,
                      const hslink_failure *failure) {
    (void)self; (void)failure;
    *component = (void *)(uintptr_t)host;
    return 0;
}

static const hslink_method methods[] = {{HSLINK_LITERAL("run"), HSLINK_CLASS_METHOD, 0, run, NULL}};
static const hslink_class link_class = HSLINK_CLASS("OnFiberLink", methods, NULL, NULL);
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("OnFiber", "1.0.0", classes, create, NULL);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
