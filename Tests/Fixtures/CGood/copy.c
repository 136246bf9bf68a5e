/* CGood: copies of payloads that outlive their call. */
#include "cgood.h"

#include <stdlib.h>

enum { DEPTH_LIMIT = 64, NODE_LIMIT = 1000000, BYTE_LIMIT = 256 * 1024 * 1024 };

typedef struct budget {
    size_t nodes, bytes;
} budget;

/* A block of `count` times `size` bytes within the budget, filled with zeros; NULL when it is spent. */
static void *take(budget *left, size_t count, size_t size) {
    if (count > left->bytes / size) return NULL;
    left->bytes -= count * size;
    return calloc(count == 0 ? 1 : count, size);
}

static int copy_octets(const void *source, uint32_t length, const void **copy, budget *left) {
    void *block = take(left, length, 1);
    *copy = block;
    if (block == NULL) return -1;
    if (length != 0) memcpy(block, source, length);
    return 0;
}

/* On failure `copy` is a tree that good_free can free: the values that were not reached are null. */
static int copy_tree(const hslink_value *source, hslink_value *copy, unsigned depth, budget *left) {
    hslink_value *items;
    hslink_entry *entries;
    const void *octets;
    uint32_t index;
    *copy = hslink_null();
    if (depth == 0 || left->nodes == 0) return -1;
    left->nodes -= 1;
    switch (source->tag) {
    case HSLINK_STRING:
    case HSLINK_BYTES:
        if (copy_octets(source->as.bytes, source->length, &octets, left) != 0) return -1;
        *copy = hslink_bytes(octets, source->length);
        copy->tag = source->tag;
        return 0;
    case HSLINK_OBJECT:
        source->as.object->type->retain(source->as.object);
        *copy = *source;
        return 0;
    case HSLINK_ARRAY:
        if ((items = take(left, source->length, sizeof *items)) == NULL) return -1;
        *copy = hslink_array(items, source->length);
        for (index = 0; index < source->length; index++)
            if (copy_tree(&source->as.items[index], &items[index], depth - 1, left) != 0) return -1;
        return 0;
    case HSLINK_MAP:
        if ((entries = take(left, source->length, sizeof *entries)) == NULL) return -1;
        *copy = hslink_map(entries, source->length);
        for (index = 0; index < source->length; index++) {
            const hslink_entry *entry = &source->as.entries[index];
            if (copy_octets(entry->key, entry->key_length, &octets, left) != 0) return -1;
            entries[index].key = octets;
            entries[index].key_length = entry->key_length;
            if (copy_tree(&entry->value, &entries[index].value, depth - 1, left) != 0) return -1;
        }
        return 0;
    default: /* numbers, dates, and tags that this file does not know */
        *copy = *source;
        return 0;
    }
}

int good_copy(const hslink_value *source, hslink_value *copy) {
    budget left = {NODE_LIMIT, BYTE_LIMIT};
    if (copy_tree(source, copy, DEPTH_LIMIT, &left) == 0) return 0;
    good_free(copy);
    return -1;
}

void good_free(hslink_value *value) {
    uint32_t index;
    switch (value->tag) {
    case HSLINK_STRING:
    case HSLINK_BYTES:
        free((void *)value->as.bytes);
        break;
    case HSLINK_OBJECT:
        value->as.object->type->release(value->as.object);
        break;
    case HSLINK_ARRAY:
        for (index = 0; index < value->length; index++) good_free((hslink_value *)&value->as.items[index]);
        free((void *)value->as.items);
        break;
    case HSLINK_MAP:
        for (index = 0; index < value->length; index++) {
            free((void *)value->as.entries[index].key);
            good_free((hslink_value *)&value->as.entries[index].value);
        }
        free((void *)value->as.entries);
        break;
    default:
        break;
    }
    *value = hslink_null();
}
