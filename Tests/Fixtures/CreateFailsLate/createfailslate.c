/* CreateFailsLate: create starts a thread and fails; the thread keeps using the host. For each answer "stopped" it adds
 * a byte to the file that HSLINK_MARK_LATE names. */
#include "mark.h"
#include "answer.h"
#include "pause.h"

HSLINK_MANIFEST("{\"name\": \"CreateFailsLate\", \"version\": \"1.0.0\", \"classes\": ["
                "{\"name\": \"CreateFailsLateLink\", \"selectors\": [{\"name\": \"run\", \"kind\": \"class\"}]}]}")

static int32_t run(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    (void)context; (void)self; (void)payload;
    return hslink_return(call, hslink_bool(1));
}

static void *use_host(void *context) {
    const hslink_host *host = context;
    for (int count = 0; count < 5; count++) {
        pause_for(0.05);
        if (host->enter(host) == HSLINK_OK) abort();
        if (answer_of(host, "CreateFailsLateLink", "run", NULL, 60).code == HSLINK_ERROR_STOPPED)
            leave_mark("HSLINK_MARK_LATE");
    }
    return NULL;
}

static int32_t create(const hslink_descriptor *self, const hslink_host *host, void **component,
                      const hslink_failure *failure) {
    pthread_t thread;
    (void)self; (void)component;
    if (pthread_create(&thread, NULL, use_host, (void *)(uintptr_t)host) != 0) abort();
    pthread_detach(thread);
    return hslink_report(failure, HSLINK_ERROR_FAILED, "it fails, and its thread goes on");
}

static const hslink_method methods[] = {{HSLINK_LITERAL("run"), HSLINK_CLASS_METHOD, 0, run, NULL}};
static const hslink_class link_class = HSLINK_CLASS("CreateFailsLateLink", methods, NULL, NULL);
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("CreateFailsLate", "1.0.0", classes, create, NULL);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
