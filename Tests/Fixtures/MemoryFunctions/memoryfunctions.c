/* A library without knowledge of HSLink: functions whose structs, outputs and callbacks have an unusual place in memory. */
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

// ---- Bit-fields

typedef struct {
    unsigned level : 3;
    int delta : 5;
    _Bool on : 1;
    enum { MEMORY_RED, MEMORY_GREEN = 3 } colour : 2;
    unsigned long long wide : 40;
    int64_t deep : 50;
} Flags;

typedef struct {
    float ratio;
    int32_t low : 12;
    int32_t high : 20;
} Mixture;

EXPORT int64_t memory_flags_sum(const Flags *flags) {
    return flags->level + flags->delta + flags->on + flags->colour + (int64_t)flags->wide + flags->deep;
}

EXPORT void memory_flags_invert(Flags *flags) {
    flags->level = ~flags->level;
    flags->delta = ~flags->delta;
    flags->on = !flags->on;
    flags->wide = ~flags->wide;
    flags->deep = ~flags->deep;
}

EXPORT Mixture memory_mix(Mixture mixture, int32_t by) {
    return (Mixture){mixture.ratio * by, mixture.high, mixture.low};
}

// ---- Memory that is left in the place of a pointer

static int left;
EXPORT int memory_left(void) { return left; }

EXPORT void memory_free(void *memory) {
    if (memory) left--;
    free(memory);
}

static void *leave(size_t size) {
    left++;
    return calloc(1, size);
}

// Splits at spaces. The array and its texts are one piece of memory.
EXPORT int memory_split(const char *text, int *count, char ***words) {
    size_t length = strlen(text);
    char **list = leave((length + 2) * sizeof(char *) + length + 1);
    char *copy = (char *)(list + length + 2);
    memcpy(copy, text, length + 1);
    int found = 0;
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " ")) list[found++] = word;
    *words = list;
    *count = found;
    return found < 5 ? 0 : -1;
}

EXPORT int memory_double(const uint8_t *bytes, size_t count, uint8_t **doubled, size_t *length) {
    *doubled = leave(2 * count);
    memcpy(*doubled, bytes, count);
    memcpy(*doubled + count, bytes, count);
    *length = 2 * count;
    return 0;
}

typedef struct { int32_t x; const char *name; } Place;

EXPORT int memory_find(int32_t x, Place **place) {
    if (x < 0) return 0;
    *place = leave(sizeof(Place));
    **place = (Place){x, "here"};
    return 1;
}

EXPORT int memory_primes(int32_t below, int32_t **primes, size_t *count) {
    if (below < 0 || below > 10000) return -1;
    *primes = leave((size_t)below * sizeof(int32_t));
    for (int32_t n = 2; n < below; n++) {
        bool isPrime = true;
        for (int32_t d = 2; d * d <= n; d++) isPrime = isPrime && n % d;
        if (isPrime) (*primes)[(*count)++] = n;
    }
    return 0;
}

EXPORT int memory_return(void *value, void **same) {
    *same = value;
    return value != NULL;
}

EXPORT void memory_elsewhere(void **value) { *value = (void *)0x1234560; }

// ---- Structs that hold memory

typedef struct { const void *source; size_t size; size_t position; } Input;
typedef struct { void *target; size_t size; size_t position; } Output;

// Copies as much as there is room for, in upper case, and moves on like zstd and zlib do.
EXPORT size_t memory_convert(Output *output, Input *input) {
    while (input->position < input->size && output->position < output->size) {
        char letter = ((const char *)input->source)[input->position++];
        ((char *)output->target)[output->position++] = letter >= 'a' && letter <= 'z' ? letter - 32 : letter;
    }
    return input->size - input->position;
}

typedef struct { char *next; unsigned rest; } Moving;

// Moves the pointer, and leaves the rest of the room.
EXPORT int memory_move(Moving *moving, char letter, unsigned count) {
    for (; count && moving->rest; count--, moving->rest--) *moving->next++ = letter;
    return (int)count;
}

typedef struct { int32_t kind; char *text; size_t length; } Record;

static int records;
EXPORT int memory_records(void) { return records; }

EXPORT int memory_record(int32_t kind, Record *record) {
    if (kind < 0) return 0;
    records++;
    *record = (Record){kind, malloc(4), 3};
    memcpy(record->text, "abc", 4);
    return 1;
}

EXPORT void memory_record_clear(Record *record) {
    records--;
    free(record->text);
    record->text = NULL;
}

// ---- Callbacks that return data

EXPORT uint64_t memory_ask(const void *(*answer)(void *context, size_t *length), void *context) {
    size_t length = 77;
    const uint8_t *data = answer(context, &length);
    uint64_t sum = 1000 * length;
    for (size_t i = 0; data && i < length; i++) sum += data[i];
    return sum;
}

EXPORT uint64_t memory_ask_text(char *(*answer)(void *context, uint8_t *length), void *context) {
    uint8_t length = 77;
    char *data = answer(context, &length);
    uint64_t sum = 1000 * length + (data ? strlen(data) : 500);
    free(data);
    return sum;
}

// ---- Arguments for "..."

// Adds up numbers of the types that `types` names: b for _Bool, c for signed char, s for unsigned short, f for float.
EXPORT double memory_sum(const char *types, ...) {
    va_list list;
    va_start(list, types);
    double sum = 0;
    for (; *types; types++) sum = 10 * sum + (*types == 'f' ? va_arg(list, double) : va_arg(list, int));
    va_end(list);
    return sum;
}

// ---- Pointers in structs

typedef struct {
    int32_t x, y;
} Spot;

typedef struct {
    const Spot *spots;
    uint8_t nspot;
    // Ends with a null pointer.
    const char *const *names;
    const Spot *origin;
    const double *weights;
    size_t weight_count;
    void *reserved;
} Shape;

EXPORT double memory_shape_sum(const Shape *shape) {
    double sum = 0;
    for (int i = 0; i < shape->nspot; i++) sum += shape->spots[i].x + 10 * shape->spots[i].y;
    for (const char *const *name = shape->names; name && *name; name++) sum += 100 * (double)strlen(*name);
    if (shape->origin) sum += 10000 * shape->origin->x;
    for (size_t i = 0; i < shape->weight_count; i++) sum += shape->weights[i];
    return sum;
}

EXPORT const Shape *memory_shape(int32_t kind) {
    static const Spot spots[] = {{1, 2}, {-3, 4}};
    static const char *const names[] = {"left", "right", NULL};
    static const double weights[] = {0.5};
    static const Shape full = {spots, 2, names, spots + 1, weights, 1, NULL};
    static const Shape empty = {0};
    return kind == 1 ? &full : kind == 0 ? &empty : NULL;
}

// ---- Handles that are taken over

typedef struct Pot Pot;
struct Pot {
    const char *note;
    Pot *below;
};

static int pots;

EXPORT int memory_pots(void) { return pots; }

EXPORT Pot *memory_pot(const char *note) {
    Pot *pot = malloc(sizeof(Pot));
    *pot = (Pot){note, NULL};
    pots++;
    return pot;
}

// Puts a pot, which then belongs to it, under the lowest one of a stack. Returns how many there are.
EXPORT int memory_pot_stack(Pot *top, Pot *bottom) {
    Pot **place = &top->below;
    int count = 1;
    for (; *place; place = &(*place)->below) count++;
    *place = bottom;
    for (; bottom; bottom = bottom->below) count++;
    return count;
}

EXPORT const char *memory_pot_note(const Pot *pot, uint32_t depth) {
    while (pot && depth--) pot = pot->below;
    return pot ? pot->note : NULL;
}

EXPORT void memory_pot_free(Pot *pot) {
    for (Pot *below; pot; pot = below) {
        below = pot->below;
        free(pot);
        pots--;
    }
}

// Lends the pot to the callback.
EXPORT void memory_pot_visit(Pot *pot, void (*visit)(void *context, Pot *pot), void *context) { visit(context, pot); }

EXPORT void memory_pot_rename(Pot *pot, const char *note) { pot->note = note; }

// A pot that uses another one, which must live as long.
EXPORT Pot *memory_pot_copy(Pot *pot) { return memory_pot(pot->note); }

struct Elsewhere {
    void (*visit)(void *context);
    void *context;
};

static void *elsewhere(void *argument) {
    struct Elsewhere *call = argument;
    call->visit(call->context);
    return NULL;
}

// Calls the callback on another thread, and waits for it.
EXPORT int memory_pot_elsewhere(Pot *pot, void (*visit)(void *context), void *context) {
    struct Elsewhere call = {visit, context};
    pthread_t thread;
    if (pthread_create(&thread, NULL, elsewhere, &call) != 0) return -1;
    pthread_join(thread, NULL);
    return pot != NULL;
}

// Leaves a pot, and bytes with a length that may be wrong.
EXPORT void memory_pot_wrong(int64_t wrong, uint8_t **bytes, int64_t *length, Pot **pot) {
    *bytes = malloc(1);
    **bytes = 7;
    *length = wrong < 0 ? wrong : 1;
    *pot = memory_pot(NULL);
}

// ---- Callbacks in arrays of structs

typedef struct {
    int (*call)(void *context, int value);
    int weight;
} Handler;

EXPORT int memory_handlers_call(const Handler *handlers, size_t count, void *context, int value) {
    int sum = 0;
    for (size_t i = 0; i < count; i++) sum += handlers[i].weight * handlers[i].call(context, value);
    return sum;
}

// ---- Arguments in registers

EXPORT int64_t memory_integers(int8_t a, uint8_t b, int16_t c, uint16_t d, int32_t e, uint32_t f) {
    return a + 2 * b + 3 * c + 5 * (int64_t)d + 7 * (int64_t)e + 11 * (int64_t)f;
}

EXPORT int8_t memory_last(int64_t a, int64_t b, int64_t c, int64_t d, int64_t e, int8_t f) {
    return (int8_t)(a + b + c + d + e == 0 ? f : 1);
}

EXPORT float memory_floats(float a, int32_t b, double c, const char *d, float e, uint8_t f, double g, float h, double i,
                           float j, int64_t k, double l) {
    return (float)(a + 2 * b + 3 * c + 5 * (double)strlen(d) + 7 * e + 11 * f + 13 * g + 17 * h + 19 * i + 23 * j +
                   29 * (double)k + 31 * l);
}

// One more than there are registers.
EXPORT double memory_many(int32_t a, int32_t b, int32_t c, double d, int32_t e, int32_t f, int32_t g, int8_t h) {
    return a + 2 * b + 3 * c + 5 * d + 7 * e + 11 * f + 13 * g + 17 * h;
}

// ---- Results that need no register of their own

typedef struct {
    int64_t first, second, third;
} Triple;

static int64_t seen;

EXPORT int64_t memory_seen(void) { return seen; }

EXPORT Triple memory_triple(int64_t number) {
    seen = number;
    return (Triple){number, number, number};
}

EXPORT long double memory_long(int64_t number) { return (long double)(seen = number); }
