/* Trees as C libraries make them: a node belongs to its parent, which frees it; a value counts its references, and its
 * keys are replaced and removed. A node or a value that is freed is spoiled, so that a later use of it is seen. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

enum { LIVE = 0x11FE, FREED = 0xDEAD };

static int live, faults;

// The nodes and values that have not been freed, and the uses of others.
EXPORT int tree_live(void) { return live; }
EXPORT int tree_faults(void) { return faults; }

// ---- Nodes, as in libcmark and libxml2

typedef struct Node Node;
struct Node {
    int state;
    int32_t number;
    Node *parent, *first, *next;
    Node *chain;
};

// What is freed stays readable, so that the tests do not depend on the allocator.
static Node *spoiled;

static int isFaulty(const Node *node) {
    if (node && node->state == LIVE) return 0;
    faults++;
    return 1;
}

EXPORT Node *tree_node_new(int32_t number) {
    Node *node = calloc(1, sizeof(Node));
    node->state = LIVE;
    node->number = number;
    live++;
    return node;
}

static void detach(Node *node) {
    if (!node->parent) return;
    Node **place = &node->parent->first;
    while (*place != node) place = &(*place)->next;
    *place = node->next;
    node->parent = node->next = NULL;
}

// The parent owns the child from then on. Returns 0 if the child contains the parent.
EXPORT int tree_node_append_child(Node *parent, Node *child) {
    if (isFaulty(parent) || isFaulty(child)) return 0;
    for (Node *node = parent; node; node = node->parent)
        if (node == child) return 0;
    detach(child);
    Node **place = &parent->first;
    while (*place) place = &(*place)->next;
    *place = child;
    child->parent = parent;
    return 1;
}

EXPORT Node *tree_node_first_child(Node *node) { return isFaulty(node) ? NULL : node->first; }
EXPORT Node *tree_node_next(Node *node) { return isFaulty(node) ? NULL : node->next; }
EXPORT Node *tree_node_parent(Node *node) { return isFaulty(node) ? NULL : node->parent; }
EXPORT int32_t tree_node_number(const Node *node) { return isFaulty(node) ? -1 : node->number; }

// The caller owns what is taken out of its parent.
EXPORT Node *tree_node_take_first(Node *parent) {
    if (isFaulty(parent) || !parent->first) return NULL;
    Node *child = parent->first;
    detach(child);
    return child;
}

static void spoil(Node *node) {
    while (node->first) {
        Node *child = node->first;
        detach(child);
        spoil(child);
    }
    node->state = FREED;
    node->chain = spoiled;
    spoiled = node;
    live--;
}

EXPORT void tree_node_free(Node *node) {
    if (!node || isFaulty(node)) return;
    detach(node);
    spoil(node);
}

// Frees the children.
EXPORT void tree_node_clear(Node *node) {
    if (isFaulty(node)) return;
    while (node->first) tree_node_free(node->first);
}

// Frees two nodes.
EXPORT void tree_node_free_both(Node *left, Node *right) {
    tree_node_free(left);
    tree_node_free(right);
}

// Takes the node out of its parent and frees it. Returns 1 if it has no parent.
EXPORT int tree_node_remove(Node *node) {
    if (isFaulty(node) || !node->parent) return 1;
    tree_node_free(node);
    return 2;
}

EXPORT const char *tree_node_state(const Node *node) { return isFaulty(node) ? "freed" : "live"; }

// ---- An iterator, which uses the tree

typedef struct Iterator Iterator;
struct Iterator {
    Node *root, *current;
};

EXPORT Iterator *tree_iterator_new(Node *root) {
    if (isFaulty(root)) return NULL;
    Iterator *iterator = calloc(1, sizeof(Iterator));
    *iterator = (Iterator){root, NULL};
    return iterator;
}

// Returns the number of the next node, or -1 at the end.
EXPORT int32_t tree_iterator_step(Iterator *iterator) {
    Node *node = iterator->current;
    if (isFaulty(iterator->root) || (node && isFaulty(node))) return -1;
    if (!node) {
        node = iterator->root;
    } else if (node->first) {
        node = node->first;
    } else {
        while (node != iterator->root && !node->next) node = node->parent;
        if (node == iterator->root) return -1;
        node = node->next;
    }
    iterator->current = node;
    return node->number;
}

EXPORT void tree_iterator_free(Iterator *iterator) {
    isFaulty(iterator->root);
    free(iterator);
}

// ---- A cursor, which refers to a node that is set

typedef struct Cursor Cursor;
struct Cursor {
    Node *node;
};

EXPORT Cursor *tree_cursor_new(void) { return calloc(1, sizeof(Cursor)); }
EXPORT void tree_cursor_point(Cursor *cursor, Node *node) { cursor->node = node; }
EXPORT int32_t tree_cursor_number(Cursor *cursor) { return cursor->node ? tree_node_number(cursor->node) : -1; }
EXPORT void tree_cursor_free(Cursor *cursor) { free(cursor); }

// Refers to all nodes of an array; returns the sum of their numbers.
typedef struct Group Group;
struct Group {
    int32_t count;
    Node *nodes[16];
};

EXPORT Group *tree_group_new(Node *const *nodes, int32_t count) {
    Group *group = calloc(1, sizeof(Group));
    group->count = count < 16 ? count : 16;
    memcpy(group->nodes, nodes, sizeof(Node *) * (size_t)group->count);
    return group;
}

EXPORT int64_t tree_group_sum(Group *group) {
    int64_t sum = 0;
    for (int32_t i = 0; i < group->count; i++) sum += tree_node_number(group->nodes[i]);
    return sum;
}

EXPORT void tree_group_free(Group *group) { free(group); }

// ---- Values that count their references, as in json-c

typedef struct Value Value;
struct Value {
    int state, count;
    int32_t number;
    Value *items[8];
};

static int isWrong(const Value *value) {
    if (value && value->state == LIVE) return 0;
    faults++;
    return 1;
}

EXPORT Value *tree_value_new(int32_t number) {
    Value *value = calloc(1, sizeof(Value));
    *value = (Value){.state = LIVE, .count = 1, .number = number};
    live++;
    return value;
}

EXPORT Value *tree_value_get(Value *value) {
    if (isWrong(value)) return NULL;
    value->count++;
    return value;
}

EXPORT void tree_value_put(Value *value) {
    if (isWrong(value) || --value->count > 0) return;
    for (int i = 0; i < 8; i++)
        if (value->items[i]) tree_value_put(value->items[i]);
    // Not freed, so that a later use of it is seen.
    value->state = FREED;
    live--;
}

static int contains(const Value *value, const Value *other) {
    if (value == other) return 1;
    for (int i = 0; i < 8; i++)
        if (value->items[i] && contains(value->items[i], other)) return 1;
    return 0;
}

// The object owns a reference to the item, and gives up the one that it had under this key. An item that it cannot own
// is given up too.
EXPORT int tree_value_set(Value *object, uint8_t key, Value *item) {
    if (isWrong(object) || isWrong(item)) return -1;
    if (key > 7 || contains(item, object)) {
        tree_value_put(item);
        return -1;
    }
    Value *old = object->items[key];
    object->items[key] = item;
    if (old) tree_value_put(old);
    return 0;
}

EXPORT Value *tree_value_item(Value *object, uint8_t key) {
    return isWrong(object) || key > 7 ? NULL : object->items[key];
}

EXPORT void tree_value_del(Value *object, uint8_t key) {
    if (isWrong(object) || key > 7 || !object->items[key]) return;
    tree_value_put(object->items[key]);
    object->items[key] = NULL;
}

// The caller owns the reference that the object has given up.
EXPORT Value *tree_value_take(Value *object, uint8_t key) {
    if (isWrong(object) || key > 7) return NULL;
    Value *item = object->items[key];
    object->items[key] = NULL;
    return item;
}

EXPORT int32_t tree_value_number(const Value *value) { return isWrong(value) ? -1 : value->number; }

// Looks at a value without a reference to it.
typedef struct Watch Watch;
struct Watch {
    Value *value;
};

EXPORT Watch *tree_watch_new(Value *value) {
    Watch *watch = calloc(1, sizeof(Watch));
    watch->value = value;
    return watch;
}

EXPORT int32_t tree_watch_number(Watch *watch) { return tree_value_number(watch->value); }
EXPORT void tree_watch_free(Watch *watch) { free(watch); }
