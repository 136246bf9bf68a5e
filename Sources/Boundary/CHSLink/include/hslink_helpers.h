/*
 * hslink_helpers.h - functions that read and build the structs of hslink.h. A part of hslink.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HSLINK_HELPERS_H
#define HSLINK_HELPERS_H

#ifndef HSLINK_H
#error "include hslink.h, which includes this file"
#endif

/* ---- Helpers ---------------------------------------------------------------------------- */

static inline hslink_string hslink_string_make(const char *HSLINK_NULLABLE utf8, size_t length) {
    hslink_string string;
    string.utf8 = utf8;
    string.length = length;
    return string;
}

/* Borrows a NUL-terminated string, which must outlive the result. */
static inline hslink_string hslink_string_c(const char *HSLINK_NONNULL text) {
    return hslink_string_make(text, strlen(text));
}

/* 1 if `string` equals the NUL-terminated `text` byte for byte. */
static inline int32_t hslink_string_equals(hslink_string string, const char *HSLINK_NONNULL text) {
    size_t length = strlen(text);
    return string.length == length && (length == 0 || (string.utf8 != NULL && memcmp(string.utf8, text, length) == 0));
}

static inline hslink_value hslink_value_make(uint32_t tag, uint32_t length, int64_t bits) {
    hslink_value value;
    value.tag = tag;
    value.length = length;
    value.as.i64 = bits;
    return value;
}
static inline hslink_value hslink_null(void) { return hslink_value_make(HSLINK_NULL, 0, 0); }
static inline hslink_value hslink_bool(int32_t truth) { return hslink_value_make(HSLINK_BOOL, 0, truth != 0); }
static inline hslink_value hslink_int(int64_t number) { return hslink_value_make(HSLINK_INT, 0, number); }
/* HSLINK_INT if `number` fits, else HSLINK_UINT, so equal numbers have one form. */
static inline hslink_value hslink_uint(uint64_t number) {
    return hslink_value_make(number > INT64_MAX ? HSLINK_UINT : HSLINK_INT, 0, (int64_t)number);
}
static inline hslink_value hslink_double(double number) {
    hslink_value value = hslink_value_make(HSLINK_DOUBLE, 0, 0);
    value.as.f64 = number;
    return value;
}
/* `nanoseconds` (0..999999999) are added to `seconds` since 1970, even if those are negative. */
static inline hslink_value hslink_date(int64_t seconds, uint32_t nanoseconds) {
    return hslink_value_make(HSLINK_DATE, nanoseconds, seconds);
}
/* The values made by the following functions borrow their arguments, which must outlive them. */
static inline hslink_value hslink_utf8(const char *HSLINK_NULLABLE utf8, uint32_t length) {
    hslink_value value = hslink_value_make(HSLINK_STRING, length, 0);
    value.as.utf8 = utf8;
    return value;
}
static inline hslink_value hslink_text(const char *HSLINK_NONNULL text) {
    return hslink_utf8(text, (uint32_t)strlen(text));
}
static inline hslink_value hslink_bytes(const uint8_t *HSLINK_NULLABLE bytes, uint32_t length) {
    hslink_value value = hslink_value_make(HSLINK_BYTES, length, 0);
    value.as.bytes = bytes;
    return value;
}
static inline hslink_value hslink_array(const hslink_value *HSLINK_NULLABLE items, uint32_t count) {
    hslink_value value = hslink_value_make(HSLINK_ARRAY, count, 0);
    value.as.items = items;
    return value;
}
static inline hslink_value hslink_map(const hslink_entry *HSLINK_NULLABLE entries, uint32_t count) {
    hslink_value value = hslink_value_make(HSLINK_MAP, count, 0);
    value.as.entries = entries;
    return value;
}
static inline hslink_entry hslink_entry_make(const char *HSLINK_NONNULL key, hslink_value value) {
    hslink_entry entry;
    entry.key = key;
    entry.key_length = (uint32_t)strlen(key);
    entry.reserved = 0;
    entry.value = value;
    return entry;
}
/* The value borrows the caller's reference to `object`. */
static inline hslink_value hslink_object_value(hslink_object *HSLINK_NONNULL object) {
    hslink_value value = hslink_value_make(HSLINK_OBJECT, 0, 0);
    value.as.object = object;
    return value;
}

/* The value for `key`, borrowed from `map`; NULL if `map` is NULL, is not a map, or has no such key. */
static inline const hslink_value *HSLINK_NULLABLE hslink_map_find(const hslink_value *HSLINK_NULLABLE map,
                                                                 const char *HSLINK_NULLABLE key, size_t length) {
    uint32_t index;
    if (map == NULL || map->tag != HSLINK_MAP) return NULL;
    for (index = 0; index < map->length; index++) {
        const hslink_entry *entry = &map->as.entries[index];
        if (entry->key_length == length && (length == 0 || memcmp(entry->key, key, length) == 0)) return &entry->value;
    }
    return NULL;
}
static inline const hslink_value *HSLINK_NULLABLE hslink_map_get(const hslink_value *HSLINK_NULLABLE map,
                                                                const char *HSLINK_NONNULL key) {
    return hslink_map_find(map, key, strlen(key));
}

/* Answers a call with a value. Returns HSLINK_REPLIED for the method to return. */
static inline int32_t hslink_return(const hslink_call *HSLINK_NONNULL call, hslink_value value) {
    call->reply.ops->complete(call->reply.slot, call->reply.token, &value, NULL);
    return HSLINK_REPLIED;
}

/* An error of HSLink's own domain. Borrows `message`. */
static inline hslink_error hslink_error_make(int32_t code, const char *HSLINK_NONNULL message) {
    hslink_error error;
    memset(&error, 0, sizeof error);
    error.struct_size = (uint32_t)sizeof error;
    error.code = code;
    error.message = hslink_string_c(message);
    return error;
}

/* Answers a call with an error. Returns HSLINK_REPLIED for the method to return. */
static inline int32_t hslink_fail(const hslink_call *HSLINK_NONNULL call, int32_t code,
                                  const char *HSLINK_NONNULL message) {
    hslink_error error = hslink_error_make(code, message);
    call->reply.ops->complete(call->reply.slot, call->reply.token, NULL, &error);
    return HSLINK_REPLIED;
}

/* The same with an error of the author's own domain, which defines the meaning of `number`. */
static inline int32_t hslink_fail_in(const hslink_call *HSLINK_NONNULL call, const char *HSLINK_NONNULL domain,
                                     int32_t number, const char *HSLINK_NONNULL message) {
    hslink_error error = hslink_error_make(number, message);
    error.domain = hslink_string_c(domain);
    call->reply.ops->complete(call->reply.slot, call->reply.token, NULL, &error);
    return HSLINK_REPLIED;
}

/* Reports an error from create or make. Returns 1 for that function to return. */
static inline int32_t hslink_report(const hslink_failure *HSLINK_NONNULL failure, int32_t code,
                                    const char *HSLINK_NONNULL message) {
    hslink_error error = hslink_error_make(code, message);
    failure->report(failure->context, &error);
    return 1;
}

/* 1 if the call has ended, so an answer would have no effect. */
static inline int32_t hslink_is_cancelled(hslink_reply reply) {
    return reply.ops->is_cancelled(reply.slot, reply.token) != HSLINK_OK;
}

/* The table of the component that an object belongs to, or NULL if the object does not provide it. The caller must
 * hold a reference to the object. */
static inline const hslink_host *HSLINK_NULLABLE hslink_owner_of(hslink_object *HSLINK_NONNULL object) {
    const hslink_object_type *type = object->type;
    const hslink_object_owner *owner;
    if (!HSLINK_HAS(type, get_extension) || type->get_extension == NULL) return NULL;
    owner = (const hslink_object_owner *)type->get_extension(type, hslink_string_c(HSLINK_OWNER));
    if (owner == NULL || !HSLINK_HAS(owner, host)) return NULL;
    return owner->host(object);
}

#endif /* HSLINK_HELPERS_H */
