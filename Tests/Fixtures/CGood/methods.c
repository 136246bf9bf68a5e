/* CGood: class methods that need nothing but their payload and their call. */
#include "cgood.h"

GOOD_METHOD(good_echo) {
    (void)context; (void)self;
    return hslink_return(call, *payload);
}

GOOD_METHOD(good_sum) {
    const hslink_value *a = hslink_map_get(payload, "a");
    const hslink_value *b = hslink_map_get(payload, "b");
    int64_t sum;
    (void)context; (void)self;
    if (a == NULL || a->tag != HSLINK_INT) return hslink_fail(call, HSLINK_ERROR_PAYLOAD, "a: expected an integer");
    if (b == NULL || b->tag != HSLINK_INT) return hslink_fail(call, HSLINK_ERROR_PAYLOAD, "b: expected an integer");
    if (__builtin_add_overflow(a->as.i64, b->as.i64, &sum))
        return hslink_fail(call, HSLINK_ERROR_PAYLOAD, "a + b: the sum does not fit into 64 bits");
    return hslink_return(call, hslink_int(sum));
}

/* A map with a value of every tag except objects, which have no written form. */
GOOD_METHOD(good_types) {
    static const uint8_t octets[] = {0x00, 0x01, 0x00, 0xFF};
    const hslink_value inner[] = {hslink_int(1), hslink_text("two"), hslink_double(3.5)};
    const hslink_entry leaf[] = {hslink_entry_make("list", hslink_array(inner, 3))};
    const hslink_entry branch[] = {
        hslink_entry_make("leaf", hslink_map(leaf, 1)),
        hslink_entry_make("", hslink_text("the empty key")),
    };
    const hslink_entry entries[] = {
        hslink_entry_make("null", hslink_null()),
        hslink_entry_make("true", hslink_bool(1)),
        hslink_entry_make("false", hslink_bool(0)),
        hslink_entry_make("int", hslink_int(-42)),
        hslink_entry_make("intMin", hslink_int(INT64_MIN)),
        hslink_entry_make("intMax", hslink_int(INT64_MAX)),
        hslink_entry_make("uint", hslink_uint(UINT64_MAX)),
        hslink_entry_make("double", hslink_double(0.1)),
        hslink_entry_make("string", hslink_text("Gr\xC3\xBC\xC3\x9F" "e \xE7\xBB\x84\xE4\xBB\xB6")),
        hslink_entry_make("stringWithNul", hslink_utf8("a\0b", 3)),
        hslink_entry_make("emptyString", hslink_utf8(NULL, 0)),
        hslink_entry_make("bytes", hslink_bytes(octets, sizeof octets)),
        hslink_entry_make("emptyBytes", hslink_bytes(NULL, 0)),
        hslink_entry_make("date", hslink_date(1700000000, 123456789)),
        hslink_entry_make("dateBefore1970", hslink_date(-86400, 999999999)),
        hslink_entry_make("array", hslink_array(inner, 3)),
        hslink_entry_make("emptyArray", hslink_array(NULL, 0)),
        hslink_entry_make("map", hslink_map(branch, 2)),
        hslink_entry_make("emptyMap", hslink_map(NULL, 0)),
    };
    (void)context; (void)self; (void)payload;
    return hslink_return(call, hslink_map(entries, sizeof entries / sizeof entries[0]));
}

GOOD_METHOD(good_fail) {
    const hslink_entry entries[] = {
        hslink_entry_make("reason", hslink_text("asked to")),
        hslink_entry_make("attempt", hslink_int(3)),
    };
    const hslink_value details = hslink_map(entries, 2);
    const hslink_error cause = hslink_error_make(HSLINK_ERROR_FAILED, "the cause of the failure");
    hslink_error error = hslink_error_make(42, "CGood fails because it was asked to");
    (void)context; (void)self; (void)payload;
    error.domain = hslink_string_c("CGood");
    error.details = &details;
    error.cause = &cause;
    call->reply.ops->complete(call->reply.slot, call->reply.token, NULL, &error);
    return HSLINK_REPLIED;
}

/* Returns the call's context. */
GOOD_METHOD(good_describe) {
    const hslink_entry entries[] = {
        hslink_entry_make("deadline", hslink_uint(call->deadline)),
        hslink_entry_make("caller", hslink_utf8(call->caller.utf8, (uint32_t)call->caller.length)),
        hslink_entry_make("hasComponent", hslink_bool(call->component != NULL)),
        hslink_entry_make("isCancelled", hslink_bool(hslink_is_cancelled(call->reply))),
    };
    (void)context; (void)self; (void)payload;
    return hslink_return(call, hslink_map(entries, 4));
}

/* Returns how often this component value was called; two hosts have separate values. */
GOOD_METHOD(good_state_count) {
    good_state *state = call->component;
    (void)context; (void)self; (void)payload;
    return hslink_return(call, hslink_int(atomic_fetch_add(&state->calls, 1) + 1));
}

GOOD_METHOD(good_live_instances) {
    good_state *state = call->component;
    (void)context; (void)self; (void)payload;
    return hslink_return(call, hslink_int(atomic_load(&state->instances)));
}

GOOD_METHOD(good_make_counter) {
    hslink_object *counter = good_instance(&good_counter_type, call->component);
    (void)context; (void)self; (void)payload;
    if (counter == NULL) return hslink_fail(call, HSLINK_ERROR_FAILED, "no memory for a counter");
    hslink_return(call, hslink_object_value(counter));
    counter->type->release(counter); /* the receiver of the reply has retained it */
    return HSLINK_REPLIED;
}
