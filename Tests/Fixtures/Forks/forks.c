/* Forks: leaves a child behind that keeps every descriptor that it inherited, and ends only by a signal. */
#include "hslink.h"
#include <fcntl.h>
#include <unistd.h>

HSLINK_MANIFEST("{\"name\": \"Forks\", \"version\": \"1.0.0\", \"classes\": [{\"name\": \"ForksLink\","
                " \"selectors\": [{\"name\": \"fork\", \"kind\": \"class\"},"
                " {\"name\": \"forkWithoutHandlers\", \"kind\": \"class\"}]}]}")

extern pid_t fork(void);
/* Like fork, but runs no handlers of pthread_atfork. */
extern pid_t _Fork(void);
extern unsigned int alarm(unsigned int seconds);

/* Returns the number of the child. */
static int32_t leave(const hslink_call *call, pid_t (*make)(void)) {
    const pid_t child = make();
    if (child != 0)
        return child < 0 ? hslink_fail(call, HSLINK_ERROR_FAILED, "fork failed") : hslink_return(call, hslink_int(child));
    /* Whoever started the host waits until nothing that it was given at its start is open any more. What it opened itself
     * is closed on exec. A failed test must not leave the child for ever. */
    for (int descriptor = 0; descriptor < 1024; descriptor++)
        if (fcntl(descriptor, F_GETFD) == 0) (void)close(descriptor);
    (void)alarm(600);
    for (;;) (void)pause();
}

static int32_t with_handlers(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    (void)context; (void)self; (void)payload;
    return leave(call, fork);
}

static int32_t without_handlers(void *context, hslink_object *self, const hslink_value *payload,
                                const hslink_call *call) {
    (void)context; (void)self; (void)payload;
    return leave(call, _Fork);
}

static int32_t create(const hslink_descriptor *self, const hslink_host *host, void **component,
                      const hslink_failure *failure) {
    (void)self; (void)failure;
    *component = (void *)host;
    return 0;
}

static const hslink_method methods[] = {
    {HSLINK_LITERAL("fork"), HSLINK_CLASS_METHOD, 0, with_handlers, NULL},
    {HSLINK_LITERAL("forkWithoutHandlers"), HSLINK_CLASS_METHOD, 0, without_handlers, NULL},
};
static const hslink_class link_class = HSLINK_CLASS("ForksLink", methods, NULL, NULL);
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("Forks", "1.0.0", classes, create, NULL);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
