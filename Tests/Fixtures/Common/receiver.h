/* The receiver of one reply, which calls a function when the reply arrives. Include this first, because it requests POSIX.
 *
 * It is never freed, because a reply may be kept forever. */
#ifndef FIXTURE_RECEIVER_H
#define FIXTURE_RECEIVER_H

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include "hslink.h"

#include <pthread.h>
#include <stdlib.h>

/* The first member of what a fixture keeps for one call. */
typedef struct receiver {
    int32_t (*arrived)(struct receiver *self); /* returns what the replying code gets */
    int is_over;
    hslink_cancel_handler handler;
    void *context;
} receiver;

static pthread_mutex_t receiver_lock = PTHREAD_MUTEX_INITIALIZER;

static int32_t receiver_complete(void *slot, uint64_t token, const hslink_value *value, const hslink_error *error) {
    receiver *self = slot;
    hslink_cancel_handler handler;
    (void)token; (void)value; (void)error;
    pthread_mutex_lock(&receiver_lock);
    self->is_over = 1;
    handler = self->handler;
    self->handler = NULL;
    pthread_mutex_unlock(&receiver_lock);
    if (handler != NULL) handler(self->context, 0);
    return self->arrived(self);
}

static int32_t receiver_is_cancelled(void *slot, uint64_t token) {
    (void)slot; (void)token;
    return HSLINK_OK;
}

static int32_t receiver_on_cancel(void *slot, uint64_t token, hslink_cancel_handler handler, void *context) {
    receiver *self = slot;
    hslink_cancel_handler before;
    void *before_context;
    (void)token;
    pthread_mutex_lock(&receiver_lock);
    if (self->is_over) {
        pthread_mutex_unlock(&receiver_lock);
        return HSLINK_LATE;
    }
    before = self->handler;
    before_context = self->context;
    self->handler = handler;
    self->context = context;
    pthread_mutex_unlock(&receiver_lock);
    if (before != NULL) before(before_context, 0);
    return HSLINK_OK;
}

static const hslink_reply_ops receiver_ops = {
    sizeof(hslink_reply_ops), 0, receiver_complete, receiver_is_cancelled, receiver_on_cancel};

/* Allocates what begins with a receiver; all else in it is 0. */
static inline void *receiver_new(size_t size, int32_t (*arrived)(receiver *self)) {
    receiver *made = calloc(1, size);
    if (made == NULL) abort();
    made->arrived = arrived;
    return made;
}

/* The reply of one call, whose outcome the receiver gets. */
static inline hslink_reply receiver_reply(receiver *self) {
    const hslink_reply reply = {&receiver_ops, self, 0};
    return reply;
}

#endif
