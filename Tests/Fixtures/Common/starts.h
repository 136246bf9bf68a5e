/* The rest of a component that logs when it starts and stops: NAME is a string literal, as in its manifest. WORK is a function
 * without parameters that is called then. */
#ifndef FIXTURES_STARTS_H
#define FIXTURES_STARTS_H

#include "hslink.h"

#define STARTS_DOING(NAME, WORK)                                                                                       \
    static int32_t run(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {     \
        (void)context; (void)self; (void)payload;                                                                      \
        return hslink_return(call, hslink_bool(1));                                                                    \
    }                                                                                                                  \
    static int32_t create(const hslink_descriptor *self, const hslink_host *host, void **component,                    \
                          const hslink_failure *failure) {                                                             \
        (void)self; (void)failure;                                                                                     \
        *component = (void *)host;                                                                                     \
        host->log(host, HSLINK_LOG_INFO, hslink_string_c(NAME " starts"));                                             \
        WORK();                                                                                                        \
        return 0;                                                                                                      \
    }                                                                                                                  \
    static void destroy(const hslink_descriptor *self, void *component) {                                              \
        const hslink_host *host = component;                                                                           \
        (void)self;                                                                                                    \
        host->log(host, HSLINK_LOG_INFO, hslink_string_c(NAME " stops"));                                              \
    }                                                                                                                  \
    static const hslink_method methods[] = {{HSLINK_LITERAL("run"), HSLINK_CLASS_METHOD, 0, run, NULL}};               \
    static const hslink_class link_class = HSLINK_CLASS(NAME "Link", methods, NULL, NULL);                             \
    static const hslink_class *const classes[] = {&link_class};                                                        \
    static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR(NAME, "1.0.0", classes, create, destroy);            \
    HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }

static inline void starts_nothing(void) {}

#define STARTS(NAME) STARTS_DOING(NAME, starts_nothing)

#endif
