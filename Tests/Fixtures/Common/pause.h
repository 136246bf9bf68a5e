/* Sleeps for the time in a payload. Include this first, because it requests POSIX. */
#ifndef FIXTURE_PAUSE_H
#define FIXTURE_PAUSE_H

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include "hslink.h"

#include <errno.h>
#include <time.h>

/* Payload "seconds", an integer or a double from 0 to 60; 0 if it is anything else. */
static inline double seconds_of(const hslink_value *payload) {
    const hslink_value *value = hslink_map_get(payload, "seconds");
    double seconds = 0;
    if (value != NULL && value->tag == HSLINK_INT) seconds = (double)value->as.i64;
    if (value != NULL && value->tag == HSLINK_DOUBLE) seconds = value->as.f64;
    return seconds > 0 && seconds <= 60 ? seconds : 0;
}

static inline void pause_for(double seconds) {
    struct timespec left;
    left.tv_sec = (time_t)seconds;
    left.tv_nsec = (long)((seconds - (double)left.tv_sec) * 1e9);
    while (nanosleep(&left, &left) != 0 && errno == EINTR) {
    }
}

#endif
