/* Crashes: ends its process in several ways. With HSLINK_CRASH_START in the environment, already in `create`. */
#include "pause.h"
#include "hslink.h"

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>

HSLINK_MANIFEST("{\"name\": \"Crashes\", \"version\": \"1.0.0\", \"classes\": [{\"name\": \"CrashesLink\", \"selectors\": ["
                "{\"name\": \"answer\", \"kind\": \"class\"}, {\"name\": \"write\", \"kind\": \"class\"}, "
                "{\"name\": \"abort\", \"kind\": \"class\"}, {\"name\": \"overflow\", \"kind\": \"class\"}, "
                "{\"name\": \"onThread\", \"kind\": \"class\"}, {\"name\": \"abortOnThread\", \"kind\": \"class\"}, "
                "{\"name\": \"bus\", \"kind\": \"class\"}, "
                "{\"name\": \"divide\", \"kind\": \"class\"}, {\"name\": \"illegal\", \"kind\": \"class\"}, "
                "{\"name\": \"trap\", \"kind\": \"class\"}]}]}")

/* Reads it anew each time, so that the compiler does not see that nothing is there. */
static volatile uintptr_t nowhere = 16;

static void write_nowhere(void) { *(volatile int *)nowhere = 1; }

static int overflow_stack(int depth) {
    volatile char room[1024];
    room[0] = (char)depth;
    if (depth < 0) return 0;
    return overflow_stack(depth + 1) + room[0];
}

static void *on_thread(void *aborts) {
    if (aborts != NULL) abort();
    write_nowhere();
    return NULL;
}

static int32_t answer(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    (void)context; (void)self; (void)payload;
    return hslink_return(call, hslink_int(42));
}

static int32_t write_there(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    (void)context; (void)self; (void)payload;
    write_nowhere();
    return hslink_return(call, hslink_int(0));
}

static int32_t overflow(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    (void)context; (void)self; (void)payload;
    return hslink_return(call, hslink_int(overflow_stack(0)));
}

static int32_t thread_of_its_own(void *context, hslink_object *self, const hslink_value *payload,
                                 const hslink_call *call) {
    pthread_t thread;
    (void)self; (void)payload;
    if (pthread_create(&thread, NULL, on_thread, context) != 0)
        return hslink_fail(call, HSLINK_ERROR_FAILED, "no thread");
    pthread_join(thread, NULL);
    return hslink_return(call, hslink_int(0));
}

/* Sends itself the signal that `context` is the number of. */
static int32_t send(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    (void)self; (void)payload;
    if ((intptr_t)context == SIGABRT) abort();
    raise((int)(intptr_t)context);
    return hslink_return(call, hslink_int(0));
}

static int32_t create(const hslink_descriptor *self, const hslink_host *host, void **component,
                      const hslink_failure *failure) {
    (void)self; (void)host; (void)component; (void)failure;
    if (getenv("HSLINK_CRASH_START") != NULL) write_nowhere();
    return 0;
}

static const hslink_method methods[] = {
    {HSLINK_LITERAL("answer"), HSLINK_CLASS_METHOD, 0, answer, NULL},
    {HSLINK_LITERAL("write"), HSLINK_CLASS_METHOD, 0, write_there, NULL},
    {HSLINK_LITERAL("overflow"), HSLINK_CLASS_METHOD, 0, overflow, NULL},
    {HSLINK_LITERAL("onThread"), HSLINK_CLASS_METHOD, 0, thread_of_its_own, NULL},
    {HSLINK_LITERAL("abortOnThread"), HSLINK_CLASS_METHOD, 0, thread_of_its_own, (void *)&nowhere},
    {HSLINK_LITERAL("abort"), HSLINK_CLASS_METHOD, 0, send, (void *)(intptr_t)SIGABRT},
    {HSLINK_LITERAL("bus"), HSLINK_CLASS_METHOD, 0, send, (void *)(intptr_t)SIGBUS},
    {HSLINK_LITERAL("divide"), HSLINK_CLASS_METHOD, 0, send, (void *)(intptr_t)SIGFPE},
    {HSLINK_LITERAL("illegal"), HSLINK_CLASS_METHOD, 0, send, (void *)(intptr_t)SIGILL},
    {HSLINK_LITERAL("trap"), HSLINK_CLASS_METHOD, 0, send, (void *)(intptr_t)SIGTRAP},
};
static const hslink_class link_class = HSLINK_CLASS("CrashesLink", methods, NULL, NULL);
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("Crashes", "1.0.0", classes, create, NULL);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
