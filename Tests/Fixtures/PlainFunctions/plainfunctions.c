/* A library without knowledge of HSLink: functions with values of every kind. */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT int8_t plain_int8(int8_t value) { return (int8_t)-value; }
EXPORT uint8_t plain_uint8(uint8_t value) { return (uint8_t)(value + 1); }
EXPORT int16_t plain_int16(int16_t value) { return (int16_t)-value; }
EXPORT uint16_t plain_uint16(uint16_t value) { return value; }
EXPORT uint32_t plain_uint32(uint32_t value) { return value; }
EXPORT uint64_t plain_uint64(uint64_t value) { return value; }
EXPORT bool plain_not(bool value) { return !value; }
EXPORT float plain_half(float value) { return value / 2; }
EXPORT long double plain_third(long double value) { return value / 3; }

/* The function that the benchmark calls. */
EXPORT double plain_mixed(int64_t number, double factor, const char *text) {
    return (double)number * factor + (text == NULL ? 0 : text[0]);
}

/* ---- Structs by value, in registers and in memory */

typedef struct { float x, y; } Pair;
typedef struct { double x; int32_t n; } Mixed;
typedef struct { double m[4]; } Matrix;
typedef struct { uint8_t bytes[3]; } Small;
typedef union { int64_t whole; double real; } Number;
typedef struct { int32_t kind; union { int32_t i; float f; } as; } Tagged;
typedef union { double real; float parts[2]; } Floating;

EXPORT Pair plain_swap(Pair pair) { Pair r = {pair.y, pair.x}; return r; }
EXPORT Mixed plain_scale(Mixed value, int32_t by) { Mixed r = {value.x * by, value.n * by}; return r; }
EXPORT Matrix plain_transpose(Matrix m) { Matrix r = {{m.m[0], m.m[2], m.m[1], m.m[3]}}; return r; }
EXPORT Small plain_reverse(Small s) { Small r = {{s.bytes[2], s.bytes[1], s.bytes[0]}}; return r; }
EXPORT Number plain_number(Number n) { n.whole += 1; return n; }
EXPORT Tagged plain_tagged(Tagged t) { t.kind += 1; t.as.i += 1; return t; }
EXPORT Floating plain_floating(Floating f) { f.real *= 2; return f; }
EXPORT double plain_many(Mixed a, Pair b, Matrix c, int8_t d, float e, Small f, int64_t g, int64_t h, int64_t i, int64_t j) {
    return a.x + a.n + b.x + b.y + c.m[0] + c.m[3] + d + e + f.bytes[0] + f.bytes[2] + (double)(g + h + i + j);
}

/* ---- Callbacks */

typedef struct { int32_t count; int32_t (*function)(void *context, int32_t value, const char *text); void *context; } Kept;

static void *on_thread(void *argument) {
    Kept *kept = argument;
    kept->count = kept->function(kept->context, kept->count, "from a thread");
    return NULL;
}

/* Calls back from a new thread, and waits for it. */
EXPORT int32_t plain_on_thread(int32_t (*function)(void *context, int32_t value, const char *text), void *context,
                               int32_t value) {
    Kept kept = {value, function, context};
    pthread_t thread;
    if (pthread_create(&thread, NULL, on_thread, &kept) != 0) return -1;
    pthread_join(thread, NULL);
    return kept.count;
}

EXPORT Kept *plain_keep(int32_t (*function)(void *context, int32_t value, const char *text), void *context) {
    Kept *kept = calloc(1, sizeof *kept);
    kept->function = function;
    kept->context = context;
    return kept;
}
EXPORT int32_t plain_call_kept(Kept *kept, int32_t value) {
    kept->count++;
    return kept->function(kept->context, value, NULL);
}
EXPORT void plain_drop(Kept *kept) { free(kept); }

EXPORT Pair plain_map_pair(Pair pair, Pair (*function)(Pair pair)) { return function(pair); }
EXPORT double plain_map_double(double value, double (*function)(double value)) { return function(value); }
EXPORT uint8_t plain_map_byte(uint8_t value, uint8_t (*function)(uint8_t value)) { return function(value); }

/* ---- Text and memory */

EXPORT const char *plain_latin(void) { return "caf\xe9"; }
EXPORT const char *plain_nothing(void) { return NULL; }
EXPORT size_t plain_total(const char *const *texts, size_t count) {
    size_t total = 0;
    for (size_t index = 0; index < count; index++) total += texts[index] == NULL ? 0 : strlen(texts[index]);
    return total;
}
EXPORT int plain_fill(uint8_t *memory, size_t room, size_t *used) {
    *used = room / 2;
    memset(memory, 0xAB, *used);
    return 0;
}

/* ---- Text with a length, without a NUL behind it */

/* Passes the words of a text to a callback, in the memory of the text. */
EXPORT int32_t plain_words(
    const char *text, int32_t length, void (*word)(void *context, const char *text, int32_t length), void *context) {
    int32_t count = 0;
    for (int32_t start = 0, end = 0; end <= length; end++) {
        if (end < length && text[end] != ' ') continue;
        word(context, text + start, end - start);
        start = end + 1;
        count++;
    }
    return count;
}
EXPORT const char *plain_middle(const char *text, size_t *length) {
    *length = strlen(text) - 2;
    return text + 1;
}
EXPORT uint64_t plain_status(uint64_t status) { return status; }

/* ---- Arrays with a null pointer at their ends, and text in structs with lengths beside it */

EXPORT int32_t plain_count_texts(const char *const *texts) {
    int32_t count = 0;
    while (texts[count] != NULL) count++;
    return count;
}
EXPORT const char *const *plain_colours(void) {
    static const char *const colours[] = {"red", "green", "blue", NULL};
    return colours;
}
EXPORT int32_t plain_attributes(
    int32_t (*function)(void *context, const char *name, const char *const *attributes), void *context) {
    static const char *const attributes[] = {"href", "a.html", "rel", "next", NULL};
    return function(context, "a", attributes);
}
typedef struct { const char *text; size_t length; int32_t kind; } Piece;
/* The sum of the bytes of the text, as far as its length says. */
EXPORT int64_t plain_piece_sum(const Piece *piece) {
    int64_t sum = 0;
    for (size_t index = 0; index < piece->length; index++) sum += (unsigned char)piece->text[index];
    return sum;
}
EXPORT Piece plain_piece(const char *text) { Piece piece = {text + 1, 2, 3}; return piece; }

/* ---- A union whose member a tag tells */

typedef struct {
    enum { PLAIN_NOTHING, PLAIN_WORD, PLAIN_NUMBER } type;
    union { struct { const uint8_t *text; size_t length; } word; struct { int64_t value; } number; } data;
} Event;
EXPORT int32_t plain_event(int32_t type, Event *event) {
    static const uint8_t text[4] = {'w', 'o', 'r', 'd'};
    memset(event, 0x5A, sizeof *event);
    event->type = (unsigned)type;
    if (type == PLAIN_WORD) {
        event->data.word.text = text;
        event->data.word.length = sizeof text;
    } else {
        event->data.number.value = type;
    }
    return 0;
}

/* ---- A handle that keeps what it is made from */

typedef struct Note { const char *text; size_t length; const char *const *lines; size_t count; } Note;
EXPORT Note *plain_note(const char *text, size_t length) {
    Note *note = calloc(1, sizeof *note);
    note->text = text;
    note->length = length;
    return note;
}
EXPORT int32_t plain_make_note(const char *text, Note **note) {
    *note = text[0] == 0 ? NULL : plain_note(text, strlen(text));
    return *note == NULL ? -1 : 0;
}
EXPORT void plain_write(Note *note, const char *text) {
    note->text = text;
    note->length = strlen(text);
}
EXPORT void plain_set_lines(Note *note, const char *const *lines, size_t count) {
    note->lines = lines;
    note->count = count;
}
EXPORT const char *plain_line(const Note *note, size_t index) { return index < note->count ? note->lines[index] : NULL; }
EXPORT const char *plain_read(const Note *note, size_t *length) {
    *length = note->length;
    return note->text;
}
EXPORT void plain_burn(Note *note) { free(note); }

/* ---- Handles that count their releases */

typedef struct Box { int32_t value; } Box;
static int32_t released;
EXPORT Box *plain_box(int32_t value) {
    Box *box = calloc(1, sizeof *box);
    box->value = value;
    return box;
}
EXPORT int32_t plain_value(const Box *box) { return box == NULL ? -1 : box->value; }
EXPORT void plain_add(Box *box, int32_t amount) {
    /* Not atomic, as in typical libraries. */
    int32_t value = box->value;
    for (volatile int pause = 0; pause < 50; pause++) {}
    box->value = value + amount;
}
EXPORT void plain_release(Box *box) {
    __atomic_add_fetch(&released, 1, __ATOMIC_SEQ_CST);
    free(box);
}
EXPORT int32_t plain_released(void) { return __atomic_load_n(&released, __ATOMIC_SEQ_CST); }
EXPORT int32_t plain_sum(const Box *left, const Box *right) { return left->value + right->value; }

/* ---- Functions with misleading lengths and pointers */

EXPORT int64_t plain_bytes_sum(const uint8_t *bytes, int64_t count) {
    int64_t sum = 0;
    for (int64_t index = 0; index < count; index++) sum += bytes[index];
    return sum;
}
EXPORT int64_t plain_area(const uint8_t *bytes, uint64_t rows, uint64_t columns) {
    return rows > 0 && columns > 0 ? bytes[rows * columns - 1] : 0;
}
EXPORT int64_t plain_room(uint8_t *begin, const uint8_t *end) {
    for (uint8_t *byte = begin; byte < end; byte++) *byte = 7;
    return end - begin;
}
EXPORT void plain_count_up(int8_t *values, uint32_t count) {
    for (uint32_t index = 0; index < count; index++) values[index] = (int8_t)index;
}

struct plain_named { const char *name; int32_t number; };
struct plain_item { int32_t kind; union { const char *text; int64_t number; }; };
union plain_any { const char *text; int64_t number; };
EXPORT int64_t plain_name_length(const struct plain_named *named) { return (int64_t)strlen(named->name) + named->number; }
EXPORT int64_t plain_first_name(const struct plain_named *named, size_t count) {
    return count == 0 ? -1 : (int64_t)strlen(named[0].name);
}
EXPORT void plain_get_item(struct plain_item *item) {
    item->kind = 1;
    item->number = 5;
}
EXPORT int64_t plain_text_length(char *text) { return (int64_t)strlen(text); }

static int32_t given_back;
EXPORT int32_t *plain_numbers(int32_t count) {
    int32_t *numbers = calloc((size_t)count + 1, sizeof *numbers);
    for (int32_t index = 0; index < count; index++) numbers[index] = index;
    return numbers;
}
EXPORT void plain_give_back(void *memory) {
    __atomic_add_fetch(&given_back, 1, __ATOMIC_SEQ_CST);
    free(memory);
}
EXPORT int32_t plain_given_back(void) { return __atomic_load_n(&given_back, __ATOMIC_SEQ_CST); }

/* ---- Handles that are only lent, and callbacks that are kept */

/* Lends a box to a callback, and frees it afterwards. */
EXPORT void plain_lend(int32_t value, void (*function)(void *context, Box *box), void *context) {
    Box *box = plain_box(value);
    function(context, box);
    box->value = -1;
    free(box);
}
/* Uses a box for a while after calling back. */
EXPORT int32_t plain_visit(Box *box, void (*inside)(void *context), void *context) {
    inside(context);
    thrd_sleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    return box->value;
}
typedef struct { Box *box; int32_t count; } Owner;
EXPORT Owner plain_owner(Box *box) { Owner owner = {box, 1}; return owner; }

static Kept remembered;
/* Keeps a callback, with a box or permanently. */
EXPORT void plain_remember(Box *box, int32_t (*function)(void *context, int32_t value, const char *text), void *context) {
    (void)box;
    remembered.function = function;
    remembered.context = context;
}
EXPORT int32_t plain_call_remembered(int32_t value) {
    return remembered.function == NULL ? -1 : remembered.function(remembered.context, value, NULL);
}

/* Passes items to a callback, with the given count. */
typedef struct Named { char name[8]; int32_t number; void *owner; } Named;

/* The length of the name that the function fills in, in memory that was not zero before. */
EXPORT int64_t plain_named(int32_t (*function)(void *context, Named *out), void *context) {
    union { Named value; char bytes[64]; } room;
    memset(&room, 'S', sizeof room);
    room.bytes[63] = 0;
    return function(context, &room.value) < 0 ? room.value.number : (int64_t)strlen(room.bytes);
}

/* The length of the name that the function replaces; -1 if it changed what it is not given. */
EXPORT int64_t plain_renamed(int32_t (*function)(void *context, Named *value), void *context) {
    Named value = {"longnam", 7, &value};
    function(context, &value);
    return value.owner == &value && value.number == 7 ? (int64_t)strlen(value.name) : -1;
}

EXPORT int32_t plain_measured(
    int32_t (*function)(void *context, const uint8_t *data, const int64_t *length), void *context) {
    const int64_t length = 3;
    return function(context, (const uint8_t *)"abcdef", &length);
}

EXPORT void plain_items(int64_t count, void (*function)(void *context, int64_t count, const int32_t *items), void *context) {
    static const int32_t items[4] = {1, 2, 3, 4};
    function(context, count, items);
}

/* ---- Handles whose release calls back */

typedef struct { void (*ended)(void *context); void *context; } Watch;
EXPORT Watch *plain_watch(Box *box, void (*ended)(void *context), void *context) {
    (void)box;
    Watch *watch = calloc(1, sizeof *watch);
    watch->ended = ended;
    watch->context = context;
    return watch;
}
EXPORT void plain_unwatch(Watch *watch) {
    watch->ended(watch->context);
    free(watch);
}

/* ---- What goes wrong, in the place of an argument */

typedef struct { int32_t code; const char *message; } Failure;
static int32_t open_failures;
EXPORT int32_t plain_try(int32_t code, Failure **failure) {
    if (code == 0) return 1;
    *failure = malloc(sizeof **failure);
    **failure = (Failure){code, code < 0 ? NULL : "as asked"};
    open_failures += 1;
    return 0;
}
EXPORT void plain_forgive(Failure *failure) { open_failures -= 1; free(failure); }
EXPORT int32_t plain_open_failures(void) { return open_failures; }
EXPORT Box *plain_box_or_failure(int32_t value, Failure **failure) {
    plain_try(value, failure);
    return plain_box(value);
}
EXPORT int32_t plain_value_of(Box *box) { return box->value; }
EXPORT int32_t plain_visit_box(int32_t value, int32_t (*visit)(Box *box)) {
    Box box = {.value = value};
    return visit(&box);
}
EXPORT int32_t plain_complain(int32_t isWrong, char **complaint) {
    static const char text[] = "that is wrong";
    if (isWrong) *complaint = memcpy(malloc(sizeof text), text, sizeof text);
    return isWrong;
}

/* ---- Variables */

EXPORT const char plain_motto[] = "plain and simple";
EXPORT const char *const plain_author = "nobody";
EXPORT int32_t plain_level = 3;
EXPORT const Failure plain_last = {-5, "the last"};
EXPORT const uint16_t plain_primes[4] = {2, 3, 5, 7};
EXPORT void *plain_anything;
EXPORT void plain_raise(void) { plain_level += 1; }

/* ---- Values and functions that come back, and arguments that end with a null pointer */

EXPORT void *plain_same(void *value) { return value; }
EXPORT void *plain_elsewhere(void) { static int32_t place; return &place; }
EXPORT int32_t plain_twice(int32_t value) { return 2 * value; }
EXPORT int64_t plain_long_twice(int64_t value) { return 2 * value; }
EXPORT int32_t plain_apply(int32_t (*function)(int32_t value), int32_t value) { return function(value); }
EXPORT int32_t plain_apply_twice(int32_t (*function)(int32_t value), int32_t value) { return function(value); }
EXPORT int64_t plain_length_of_all(const char *first, ...) {
    va_list rest;
    va_start(rest, first);
    int64_t length = 0;
    for (const char *text = first; text != NULL; text = va_arg(rest, const char *)) length += (int64_t)strlen(text);
    va_end(rest);
    return length;
}
EXPORT int64_t plain_weighted(const char *first, ...) {
    va_list rest;
    va_start(rest, first);
    int64_t sum = 0;
    for (const char *text = va_arg(rest, const char *); text != NULL; text = va_arg(rest, const char *))
        sum += (int64_t)strlen(text) * va_arg(rest, int32_t);
    va_end(rest);
    return sum + (int64_t)strlen(first);
}

/* ---- Callbacks that return pointers */

EXPORT int64_t plain_ask(char *(*answer)(void *context, int32_t question), void *context) {
    char *text = answer(context, 1);
    int64_t length = text == NULL ? -1 : (int64_t)strlen(text);
    free(text);
    return length;
}
EXPORT int64_t plain_ask_twice(const char *(*answer)(void *context, int32_t question), void *context) {
    const char *first = answer(context, 1), *second = answer(context, 2);
    return first == NULL || second == NULL ? -1 : (int64_t)strlen(first) * 100 + (int64_t)strlen(second);
}
EXPORT int64_t plain_choose(Box *(*choose)(void *context), void *context) {
    Box *box = choose(context);
    return box == NULL ? -1 : box->value;
}
EXPORT int64_t plain_choose_twice(Box *(*choose)(void *context), void *context) {
    Box *first = choose(context), *second = choose(context);
    return first == NULL || second == NULL ? -1 : 100 * first->value + second->value;
}
