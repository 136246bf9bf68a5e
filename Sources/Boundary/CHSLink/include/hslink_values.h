/*
 * hslink_values.h - payloads: strings, and trees of 16-byte tagged values. A part of hslink.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HSLINK_VALUES_H
#define HSLINK_VALUES_H

#ifndef HSLINK_H
#error "include hslink.h, which includes this file"
#endif

/* ---- Strings ---------------------------------------------------------------------------- */

/* UTF-8 text of `length` bytes. It is not terminated and may contain NUL bytes. `utf8` may be NULL if
 * `length` is 0. Borrowed wherever it is passed; in a descriptor it lives as long as the process. Never grows. */
typedef struct hslink_string {
    const char *HSLINK_NULLABLE utf8;
    size_t length;
} hslink_string;

/* A hslink_string initialiser from a string literal. */
#define HSLINK_LITERAL(text) {("" text), sizeof(text) - 1}

/* ---- Values ----------------------------------------------------------------------------- */

/* The type of a value. A reader passes on values with unknown tags and refuses them only when it has
 * to encode them; their 16 bytes own nothing and may be copied unchanged. */
enum {
    HSLINK_NULL = 0,   /* no value; also the result of a method that returns nothing */
    HSLINK_BOOL = 1,   /* as.i64 is 0 or 1; readers treat any other number as 1 */
    HSLINK_INT = 2,    /* as.i64 */
    HSLINK_UINT = 3,   /* as.u64, only above INT64_MAX, so equal integers have one form; readers treat a lower
                        * number as HSLINK_INT */
    HSLINK_DOUBLE = 4, /* as.f64 */
    HSLINK_STRING = 5, /* as.utf8, `length` bytes of UTF-8, not terminated */
    HSLINK_BYTES = 6,  /* as.bytes, `length` bytes */
    HSLINK_DATE = 7,   /* as.i64 seconds since 1970-01-01T00:00:00Z plus `length` nanoseconds (0..999999999, else
                        * refused) */
    HSLINK_ARRAY = 8,  /* as.items, `length` values */
    HSLINK_MAP = 9,    /* as.entries, `length` entries; keys are UTF-8 and unique, and their order is preserved */
    HSLINK_OBJECT = 10 /* as.object, see hslink_object */
};

typedef struct hslink_value hslink_value;
typedef struct hslink_entry hslink_entry;
typedef struct hslink_object hslink_object;
typedef struct hslink_object_type hslink_object_type;

/* One node of a payload, which is a tree of these. The receiver borrows the whole tree. Readers
 * enforce limits (depth 64, 1,000,000 nodes, 256 MB), because valid pointers may still form a cycle.
 * Pointers may be NULL if `length` is 0. Never grows. */
struct hslink_value {
    uint32_t tag;
    uint32_t length;
    union {
        int64_t i64;
        uint64_t u64;
        double f64;
        const char *HSLINK_NULLABLE utf8;
        const uint8_t *HSLINK_NULLABLE bytes;
        const hslink_value *HSLINK_NULLABLE items;
        const hslink_entry *HSLINK_NULLABLE entries;
        hslink_object *HSLINK_NULLABLE object;
    } as;
};

/* A key of a map and its value. Never grows. */
struct hslink_entry {
    const char *HSLINK_NULLABLE key; /* UTF-8, `key_length` bytes, not terminated */
    uint32_t key_length;
    uint32_t reserved; /* 0 */
    hslink_value value;
};

HSLINK_ASSERT(sizeof(hslink_string) == 16, "hslink_string never grows");
HSLINK_ASSERT(sizeof(hslink_value) == 16 && offsetof(hslink_value, as) == 8, "hslink_value never grows");
HSLINK_ASSERT(sizeof(hslink_entry) == 32 && offsetof(hslink_entry, value) == 16, "hslink_entry never grows");

#endif /* HSLINK_VALUES_H */
