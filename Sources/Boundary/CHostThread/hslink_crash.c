/*
 * hslink_crash.c - the handler of crashes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE
#include "hslink_crash.h"

#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

__thread const void *_Nullable hslink_crash_marks;
__thread hslink_crash_step hslink_crash_current_step;

/* The stack for signals that this thread has from here; NULL if none. */
static __thread void *own_stack;
/* Enough for the handlers that come after this one too. */
enum { STACK_SIZE = 64 * 1024 };

typedef struct signal_name {
    int number;
    const char *text;
} signal_name;

static const signal_name signals[] = {
    {SIGABRT, "SIGABRT"}, {SIGBUS, "SIGBUS"},   {SIGFPE, "SIGFPE"},
    {SIGILL, "SIGILL"},   {SIGSEGV, "SIGSEGV"}, {SIGTRAP, "SIGTRAP"},
};
enum { SIGNAL_COUNT = sizeof signals / sizeof signals[0] };

static struct sigaction earlier[SIGNAL_COUNT];
static atomic_int is_installed;
static atomic_int is_json_line;
/* The notes of the hosts in this process: their descriptors plus 1, or 0. Those of further hosts are not written. */
static atomic_int notes[16];
enum { NOTE_COUNT = sizeof notes / sizeof notes[0] };
static uint64_t text_offset_in_entry;
/* Children that components fork have the handlers too, and report nothing. */
static pid_t process;
/* The thread that reports; -1 once the line is written. */
static atomic_int reporter;

/* ---- Images */

typedef struct image {
    uintptr_t start, end;
    const char *component;
} image;

/* Images beyond these are not named. */
static image images[1024];
static atomic_size_t image_count;
static pthread_mutex_t image_mutex = PTHREAD_MUTEX_INITIALIZER;

static int find_image(struct dl_phdr_info *info, size_t size, void *context) {
    image *const found = context;
    uintptr_t start = UINTPTR_MAX, end = 0;
    (void)size;
    for (size_t index = 0; index < info->dlpi_phnum; index++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[index];
        if (header->p_type != PT_LOAD) continue;
        const uintptr_t first = info->dlpi_addr + header->p_vaddr;
        if (first < start) start = first;
        if (first + header->p_memsz > end) end = first + header->p_memsz;
    }
    if (found->start < start || found->start >= end) return 0;
    found->start = start;
    found->end = end;
    return 1;
}

void hslink_crash_add_image(const void *address, const char *component) {
    image found = {(uintptr_t)address, 0, NULL};
    if (dl_iterate_phdr(find_image, &found) == 0) return;
    (void)pthread_mutex_lock(&image_mutex);
    const size_t count = atomic_load(&image_count);
    size_t index = 0;
    while (index < count && images[index].start != found.start) index++;
    /* Several hosts may load one file. */
    if (index == count && count < sizeof images / sizeof images[0] && (found.component = strdup(component)) != NULL) {
        images[count] = found;
        atomic_store(&image_count, count + 1);
    }
    (void)pthread_mutex_unlock(&image_mutex);
}

static const char *component_at(uintptr_t address) {
    const size_t count = atomic_load(&image_count);
    for (size_t index = 0; index < count; index++)
        if (address >= images[index].start && address < images[index].end) return images[index].component;
    return NULL;
}

/* ---- Texts */

typedef struct text {
    char bytes[2048];
    size_t length;
} text;

static void add_byte(text *to, char byte) {
    if (to->length < sizeof to->bytes) to->bytes[to->length++] = byte;
}

/* The names of components and methods are checked when they are loaded; those of threads are anything. */
static void add(text *to, const char *from) {
    for (; *from != 0; from++) {
        const unsigned char byte = (unsigned char)*from;
        add_byte(to, byte < 0x20 || byte == 0x7F || byte == '"' || byte == '\\' ? '?' : (char)byte);
    }
}

static void add_literal(text *to, const char *from) {
    for (; *from != 0; from++) add_byte(to, *from);
}

static void add_number(text *to, uint64_t number, unsigned base, int width) {
    char digits[24];
    int count = 0;
    do {
        digits[count++] = "0123456789abcdef"[number % base];
        number /= base;
    } while (number > 0 || count < width);
    while (count > 0) add_byte(to, digits[--count]);
}

/* As in 2026-11-21T12:45:34.123Z. gmtime_r(3) may take a lock. */
static void add_time(text *to, struct timespec now) {
    const int64_t days = now.tv_sec / 86400, seconds = now.tv_sec % 86400;
    /* Days since the first of March of the year 0; an era has 400 years. */
    const int64_t shifted = days + 719468, era = shifted / 146097, of_era = shifted % 146097;
    const int64_t year_of_era = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    const int64_t of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    const int64_t from_march = (5 * of_year + 2) / 153, day = of_year - (153 * from_march + 2) / 5 + 1;
    const int64_t month = from_march < 10 ? from_march + 3 : from_march - 9;
    add_number(to, (uint64_t)(year_of_era + era * 400 + (month <= 2)), 10, 4);
    add_byte(to, '-');
    add_number(to, (uint64_t)month, 10, 2);
    add_byte(to, '-');
    add_number(to, (uint64_t)day, 10, 2);
    add_byte(to, 'T');
    add_number(to, (uint64_t)(seconds / 3600), 10, 2);
    add_byte(to, ':');
    add_number(to, (uint64_t)(seconds / 60 % 60), 10, 2);
    add_byte(to, ':');
    add_number(to, (uint64_t)(seconds % 60), 10, 2);
    add_byte(to, '.');
    add_number(to, (uint64_t)(now.tv_nsec / 1000000), 10, 3);
    add_byte(to, 'Z');
}

static void write_all(int descriptor, const text *from) {
    size_t written = 0;
    while (written < from->length) {
        const ssize_t count = write(descriptor, from->bytes + written, from->length - written);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return;
        written += (size_t)count;
    }
}

/* ---- Where the thread is */

typedef struct place {
    const char *component; /* NULL for none */
    const char *method;    /* NULL if it is not a method */
    const char *activity;  /* completes "crashed " */
} place;

static const char *text_at(uintptr_t address) { return *(const char *const *)address; }

/* Returns the innermost component that the marks of the thread name. */
static int marked_place(place *to) {
    const hslink_crash_mark *const marks = hslink_crash_marks;
    const hslink_crash_step step = hslink_crash_current_step;
    size_t count = 0;
    if (marks != NULL)
        while (count < HSLINK_CRASH_MARK_COUNT && __atomic_load_n(&marks[count].component, __ATOMIC_RELAXED) != 0)
            count++;
    if (step.component != NULL && step.depth >= count) {
        *to = (place){step.component, NULL, step.activity};
        return 1;
    }
    if (count == 0) return 0;
    const hslink_crash_mark *const last = &marks[count - 1];
    const uintptr_t method = __atomic_load_n(&last->method, __ATOMIC_RELAXED);
    to->component = text_at(last->component);
    to->method = method > HSLINK_CRASH_LAST_MARK ? text_at(method + text_offset_in_entry) : NULL;
    to->activity = method == 0 ? "in code that it runs itself" : "in a method of an object";
    return to->component != NULL;
}

/* Reads memory that may not be mapped. Returns the number of words that are. */
static size_t read_words(uintptr_t address, uintptr_t *words, size_t count) {
    struct iovec local = {words, count * sizeof words[0]}, remote = {(void *)address, count * sizeof words[0]};
    const long size = syscall(SYS_process_vm_readv, process, &local, 1UL, &remote, 1UL, 0UL);
    return size < 0 ? 0 : (size_t)size / sizeof words[0];
}

/* abort(3) keeps no frame pointers. The first word on the stack that points into a component is where it was called. */
static const char *component_of_abort(uintptr_t stack) {
    uintptr_t words[512];
    const size_t count = read_words(stack, words, sizeof words / sizeof words[0]);
    for (size_t index = 0; index < count; index++) {
        const char *const component = component_at(words[index]);
        if (component != NULL) return component;
    }
    return NULL;
}

/* Returns the component whose code the thread runs, from the frames on its stack: asynchronous methods go on on
 * threads that have no marks, as do threads of a component's own. */
static const char *component_on_stack(const ucontext_t *context, int number) {
#if defined(__x86_64__)
    const uintptr_t stack = (uintptr_t)context->uc_mcontext.gregs[REG_RSP];
    uintptr_t code = (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
    uintptr_t frame = (uintptr_t)context->uc_mcontext.gregs[REG_RBP];
#elif defined(__aarch64__)
    const uintptr_t stack = (uintptr_t)context->uc_mcontext.sp;
    uintptr_t code = (uintptr_t)context->uc_mcontext.pc;
    uintptr_t frame = (uintptr_t)context->uc_mcontext.regs[29];
#else
    uintptr_t stack = 0, code = 0, frame = 0;
    (void)context;
#endif
    for (int depth = 0; depth < 128; depth++) {
        uintptr_t words[2];
        const char *component = component_at(code);
        if (component != NULL) return component;
        if (frame == 0 || frame % sizeof frame != 0 || read_words(frame, words, 2) < 2) break;
        /* Frames of asynchronous functions are marked with a bit that no address has. */
        const uintptr_t next = words[0] & ~((uintptr_t)1 << 60);
        code = words[1];
        /* The last frame; the code that it returns to is looked at once more. */
        frame = next > frame ? next : 0;
    }
    return number == SIGABRT ? component_of_abort(stack) : NULL;
}

/* ---- The handler */

static void add_message(text *to, const place *place, const siginfo_t *info, const char *signal_text, int is_foreign) {
    char name[16] = "";
    if (is_foreign) {
        add_literal(to, "is ended by ");
        add_literal(to, signal_text);
        add_literal(to, " from process ");
        add_number(to, (uint64_t)info->si_pid, 10, 1);
        return;
    }
    add_literal(to, "crashed ");
    if (place->method != NULL) {
        add_literal(to, "in ");
        add(to, place->method);
    } else {
        add_literal(to, place->activity);
    }
    add_literal(to, " with ");
    add_literal(to, signal_text);
    if ((info->si_signo == SIGSEGV || info->si_signo == SIGBUS) && info->si_code > 0 && info->si_code < SI_KERNEL) {
        add_literal(to, " at the address 0x");
        add_number(to, (uint64_t)(uintptr_t)info->si_addr, 16, 1);
    }
    (void)prctl(PR_GET_NAME, name, 0, 0, 0);
    /* The system cuts a name anywhere, and the line has to be UTF-8. */
    for (char *byte = name; *byte != 0; byte++)
        if ((unsigned char)*byte > 0x7F) *byte = '?';
    add_literal(to, " on the thread ");
    add(to, name);
    add_literal(to, " (");
    add_number(to, (uint64_t)syscall(SYS_gettid), 10, 1);
    add_literal(to, ")");
}

/* Appends a line to the note of each host, since the crash ends all of them. */
static void write_notes(const char *component, const char *message, struct timespec now) {
    text line = {.length = 0};
    add_number(&line, (uint64_t)now.tv_sec, 10, 1);
    add_byte(&line, '\t');
    add(&line, component);
    add_byte(&line, '\t');
    add_literal(&line, message);
    add_byte(&line, '\n');
    for (size_t index = 0; index < NOTE_COUNT; index++) {
        const int descriptor = atomic_load(&notes[index]) - 1;
        if (descriptor >= 0) write_all(descriptor, &line);
    }
}

static void report(const siginfo_t *info, const ucontext_t *context, const char *signal_text) {
    /* Nothing is known about where a signal from another process belongs: any thread gets it. */
    const int is_foreign = info->si_code <= 0 && info->si_pid != process;
    const int is_json = atomic_load(&is_json_line);
    place place = {NULL, NULL, "outside of components"};
    struct timespec now = {0, 0};
    text message = {.length = 0}, line = {.length = 0};
    if (!is_foreign && !marked_place(&place)) {
        place = (struct place){component_on_stack(context, info->si_signo), NULL, "outside of calls"};
        if (place.component == NULL) place.activity = "outside of components";
    }
    (void)clock_gettime(CLOCK_REALTIME, &now);
    add_message(&message, &place, info, signal_text, is_foreign);
    /* Terminates it; what is too long has no room for more anyway. */
    message.bytes[message.length < sizeof message.bytes ? message.length : sizeof message.bytes - 1] = 0;
    /* Before the line, since nobody may read standard error any more. */
    if (place.component != NULL) write_notes(place.component, message.bytes, now);
    if (is_json) add_literal(&line, "{\"time\":\"");
    add_time(&line, now);
    add_literal(&line, is_json ? "\",\"level\":\"critical\",\"message\":\"" : " critical");
    if (!is_json) {
        if (place.component != NULL) add_byte(&line, ' '), add(&line, place.component);
        add_literal(&line, ": ");
    }
    if (place.component == NULL) add_literal(&line, "the host ");
    add_literal(&line, message.bytes);
    if (is_json) {
        add_literal(&line, "\",\"component\":\"");
        add(&line, place.component != NULL ? place.component : "host");
        add_literal(&line, "\"}");
    }
    add_byte(&line, '\n');
    write_all(STDERR_FILENO, &line);
}

/* Does what the action that was there before does with a signal that no instruction raises again. */
static void pass_on(int number, const struct sigaction *action, siginfo_t *info, void *context) {
    struct sigaction current;
    if (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN) {
        if ((action->sa_flags & SA_SIGINFO) != 0) action->sa_sigaction(number, info, context);
        else action->sa_handler(number);
    }
    /* Swift's backtracer sets the default action and returns, as if an instruction had failed; the process would go on
     * after a signal of kill(2) or raise(3). What is sent here arrives once the handler has returned. */
    if (sigaction(number, NULL, &current) == 0 && current.sa_handler == SIG_DFL) (void)raise(number);
}

static void handle(int number, siginfo_t *info, void *context) {
    const int error = errno;
    size_t index = 0;
    while (index + 1 < SIGNAL_COUNT && signals[index].number != number) index++;
    if (getpid() == process) {
        const int self = (int)syscall(SYS_gettid);
        int expected = 0;
        if (atomic_compare_exchange_strong(&reporter, &expected, self)) {
            report(info, context, signals[index].text);
            atomic_store(&reporter, -1);
        } else if (expected != self) {
            /* The process must not end while another thread writes its line. */
            const struct timespec moment = {0, 1000000};
            for (int count = 0; count < 200 && atomic_load(&reporter) > 0; count++) (void)nanosleep(&moment, NULL);
        }
    }
    /* Only now, so that other threads that crash meanwhile come here and wait. A fault of the same kind in here ends
     * the process, since its signal is blocked; one of another kind comes here and goes on. */
    (void)sigaction(number, &earlier[index], NULL);
    errno = error;
    /* The instruction of a fault runs again after this, and fails again. */
    const int is_fault = number != SIGABRT && number != SIGTRAP && info->si_code > 0;
    if (!is_fault) pass_on(number, &earlier[index], info, context);
}

int hslink_crash_install(int is_json, uint64_t text_offset) {
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    struct sigaction action;
    int result = 0;
    (void)pthread_mutex_lock(&mutex);
    atomic_store(&is_json_line, is_json);
    if (atomic_load(&is_installed) == 0) {
        process = getpid();
        text_offset_in_entry = text_offset;
        memset(&action, 0, sizeof action);
        action.sa_sigaction = handle;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK;
        (void)sigemptyset(&action.sa_mask);
        for (size_t index = 0; index < SIGNAL_COUNT && result == 0; index++)
            if (sigaction(signals[index].number, NULL, &earlier[index]) != 0
                || sigaction(signals[index].number, &action, NULL) != 0)
                result = errno;
        atomic_store(&is_installed, 1);
    }
    (void)pthread_mutex_unlock(&mutex);
    return result;
}

static void exchange_note(int old, int new) {
    for (size_t index = 0; index < NOTE_COUNT; index++) {
        int expected = old;
        if (atomic_compare_exchange_strong(&notes[index], &expected, new)) return;
    }
}

void hslink_crash_add_note(int descriptor) { exchange_note(0, descriptor + 1); }

void hslink_crash_forget_note(int descriptor) { exchange_note(descriptor + 1, 0); }

void hslink_crash_set_marks(const void *marks) {
    stack_t stack;
    hslink_crash_marks = marks;
    if (marks == NULL) {
        if (own_stack == NULL) return;
        /* Someone else may have set another one since. */
        if (sigaltstack(NULL, &stack) == 0 && stack.ss_sp == own_stack) {
            stack.ss_flags = SS_DISABLE;
            (void)sigaltstack(&stack, NULL);
        }
        (void)munmap(own_stack, STACK_SIZE);
        own_stack = NULL;
        return;
    }
    /* A stack that overflows leaves no room for the handler. */
    if (atomic_load(&is_installed) == 0 || own_stack != NULL) return;
    if (sigaltstack(NULL, &stack) != 0 || (stack.ss_flags & SS_DISABLE) == 0) return;
    void *const memory = mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return;
    stack = (stack_t){.ss_sp = memory, .ss_flags = 0, .ss_size = STACK_SIZE};
    if (sigaltstack(&stack, NULL) == 0) own_stack = memory;
    else (void)munmap(memory, STACK_SIZE);
}
