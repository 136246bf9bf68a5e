/* Calls a class through the host and waits for the answer. Include this first, because it requests POSIX.
 *
 * The receiver of a reply may keep it forever, so its slot is never freed: slots are reused, and the
 * token identifies the call. */
#ifndef FIXTURE_ANSWER_H
#define FIXTURE_ANSWER_H

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include "hslink.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

typedef struct answer_slot {
    struct answer_slot *next;
    uint64_t token; /* of the waiting call; all others are late */
    pthread_cond_t changed;
    hslink_cancel_handler handler;
    void *handler_context;
    int32_t state, code; /* state: see below; code: of the error, 0 when it was performed */
    int64_t number;      /* the answer if it is an integer */
    char text[64];       /* the answer if it is a short text */
} answer_slot;

enum { ANSWER_PENDING = 0, ANSWER_GIVEN = 1, ANSWER_ABANDONED = 2 };

typedef struct answer {
    int32_t state, code;
    int64_t number;
    char text[64];
} answer;

static pthread_mutex_t answer_lock = PTHREAD_MUTEX_INITIALIZER;
static answer_slot *answer_free;

/* Ends the call of `slot` once; its handler is called without the lock. */
static inline int32_t answer_end(answer_slot *slot, uint64_t token, int32_t state, int32_t code,
                                 const hslink_value *value) {
    hslink_cancel_handler handler;
    void *handler_context;
    pthread_mutex_lock(&answer_lock);
    if (slot->token != token || slot->state != ANSWER_PENDING) {
        pthread_mutex_unlock(&answer_lock);
        return HSLINK_LATE;
    }
    slot->state = state;
    slot->code = code;
    slot->number = value != NULL && value->tag == HSLINK_INT ? value->as.i64 : 0;
    memset(slot->text, 0, sizeof slot->text);
    if (value != NULL && value->tag == HSLINK_STRING && value->length < sizeof slot->text)
        memcpy(slot->text, value->as.utf8, value->length);
    handler = slot->handler;
    handler_context = slot->handler_context;
    slot->handler = NULL;
    pthread_cond_signal(&slot->changed);
    pthread_mutex_unlock(&answer_lock);
    if (handler != NULL) handler(handler_context, state == ANSWER_ABANDONED);
    return HSLINK_OK;
}

static int32_t answer_complete(void *slot, uint64_t token, const hslink_value *value, const hslink_error *error) {
    return answer_end(slot, token, ANSWER_GIVEN, error == NULL ? 0 : error->code, value);
}

static int32_t answer_is_cancelled(void *context, uint64_t token) {
    answer_slot *slot = context;
    int32_t result;
    pthread_mutex_lock(&answer_lock);
    result = slot->token == token && slot->state == ANSWER_PENDING ? HSLINK_OK : HSLINK_LATE;
    pthread_mutex_unlock(&answer_lock);
    return result;
}

static int32_t answer_on_cancel(void *context, uint64_t token, hslink_cancel_handler handler, void *handler_context) {
    answer_slot *slot = context;
    hslink_cancel_handler before;
    void *before_context;
    pthread_mutex_lock(&answer_lock);
    if (slot->token != token || slot->state != ANSWER_PENDING) {
        pthread_mutex_unlock(&answer_lock);
        return HSLINK_LATE;
    }
    before = slot->handler;
    before_context = slot->handler_context;
    slot->handler = handler;
    slot->handler_context = handler_context;
    pthread_mutex_unlock(&answer_lock);
    if (before != NULL) before(before_context, 0);
    return HSLINK_OK;
}

static const hslink_reply_ops answer_ops = {
    sizeof(hslink_reply_ops), 0, answer_complete, answer_is_cancelled, answer_on_cancel};

static inline answer_slot *answer_take(void) {
    pthread_condattr_t monotonic;
    answer_slot *slot;
    pthread_mutex_lock(&answer_lock);
    slot = answer_free;
    if (slot != NULL) answer_free = slot->next;
    pthread_mutex_unlock(&answer_lock);
    if (slot != NULL) return slot;
    slot = calloc(1, sizeof *slot);
    if (slot == NULL) abort();
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&slot->changed, &monotonic);
    pthread_condattr_destroy(&monotonic);
    return slot;
}

/* Calls a method, with flags of hslink_request, and waits at most `seconds`. ANSWER_ABANDONED means that no answer
 * arrived. */
static inline answer answer_to(const hslink_host *host, uint32_t kind, const char *class_name, const char *selector,
                               const hslink_value *payload, uint64_t flags, int seconds) {
    answer_slot *slot = answer_take();
    struct timespec until;
    hslink_request request;
    hslink_reply reply;
    answer result;
    memset(&request, 0, sizeof request);
    request.struct_size = sizeof request;
    request.kind = kind;
    request.class_name = hslink_string_c(class_name);
    request.selector = hslink_string_c(selector);
    request.payload = payload;
    request.flags = flags;
    pthread_mutex_lock(&answer_lock);
    slot->state = ANSWER_PENDING;
    reply.ops = &answer_ops;
    reply.slot = slot;
    reply.token = ++slot->token;
    pthread_mutex_unlock(&answer_lock);
    host->call(host, &request, reply, NULL);
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += seconds;
    pthread_mutex_lock(&answer_lock);
    while (slot->state == ANSWER_PENDING && pthread_cond_timedwait(&slot->changed, &answer_lock, &until) == 0) {
    }
    pthread_mutex_unlock(&answer_lock);
    answer_end(slot, reply.token, ANSWER_ABANDONED, HSLINK_ERROR_DEADLINE, NULL);
    pthread_mutex_lock(&answer_lock);
    result.state = slot->state;
    result.code = slot->code;
    result.number = slot->number;
    memcpy(result.text, slot->text, sizeof result.text);
    slot->next = answer_free;
    answer_free = slot;
    pthread_mutex_unlock(&answer_lock);
    return result;
}

/* The same for a class method. */
static inline answer answer_with(const hslink_host *host, const char *class_name, const char *selector,
                                 const hslink_value *payload, uint64_t flags, int seconds) {
    return answer_to(host, HSLINK_CLASS_METHOD, class_name, selector, payload, flags, seconds);
}

/* The same without flags. */
static inline answer answer_of(const hslink_host *host, const char *class_name, const char *selector,
                               const hslink_value *payload, int seconds) {
    return answer_with(host, class_name, selector, payload, 0, seconds);
}

#endif
