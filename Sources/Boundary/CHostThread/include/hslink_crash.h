/*
 * hslink_crash.h - names the component in which the process crashes, in one line that a signal handler writes.
 *
 * The handler reads what calls leave behind anyway: the marks of the thread, and texts that were made when a component
 * was loaded. It allocates nothing, takes no lock, and calls only functions that signal-safety(7) allows, and system
 * calls. Then the handler that was there before, or the default action, gets the signal: core dumps are written, and
 * Swift's backtracer runs. Unlike without this one, the process then ends by a signal that was sent, too.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HSLINK_CRASH_H
#define HSLINK_CRASH_H

#include <stdint.h>

/* The mark of a component that a thread is running in; mirrors ThreadContext.Frame. The marks of a thread end at the
 * first whose component is 0. */
typedef struct hslink_crash_mark {
    /* The address of a component's run state, which begins with the address of the component's name, or 0. */
    uintptr_t component;
    /* The address of the method's entry, or one of the values below. */
    uintptr_t method;
    uintptr_t count;
} hslink_crash_mark;

/* Up to this value, `method` says that the code is a component's own, but not a method. */
enum { HSLINK_CRASH_LAST_MARK = 2, HSLINK_CRASH_MARK_COUNT = 512 };

/* What the host does with a component outside of calls, such as starting it. */
typedef struct hslink_crash_step {
    /* The component; NULL if the host does nothing. */
    const char *_Nullable component;
    /* Completes "crashed ", as in "while it started". */
    const char *_Nullable activity;
    /* The number of marks that the thread had. */
    uint64_t depth;
} hslink_crash_step;

extern __thread const void *_Nullable hslink_crash_marks __attribute__((visibility("hidden")));
extern __thread hslink_crash_step hslink_crash_current_step __attribute__((visibility("hidden")));

/* Makes the marks of the calling thread known: an array of HSLINK_CRASH_MARK_COUNT; NULL when the thread ends. Gives
 * the thread a stack for signals if crashes are reported and it has none, and takes it back. */
extern void hslink_crash_set_marks(const void *_Nullable marks);

/* Begins a step on the calling thread, and returns the one around it. Both texts are kept until the step has ended. */
static inline hslink_crash_step hslink_crash_begin_step(
    const char *_Nonnull component, const char *_Nonnull activity, uint64_t depth) {
    const hslink_crash_step outer = hslink_crash_current_step;
    hslink_crash_current_step = (hslink_crash_step){component, activity, depth};
    return outer;
}
static inline void hslink_crash_end_step(hslink_crash_step outer) { hslink_crash_current_step = outer; }

/* Installs the handlers for SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV and SIGTRAP, once in a process: later calls only
 * set the form of the line. Returns 0, or the error of the system.
 *
 * is_json      whether the line is a JSON object, and not text
 * text_offset  where an entry of a method has the address of the method's name */
extern int hslink_crash_install(int is_json, uint64_t text_offset);

/* Adds an open file to which the handler appends a line for a crash in a component, as "SECONDS\tCOMPONENT\tTEXT". Each
 * host in the process has one; those of more than 16 are not written. */
extern void hslink_crash_add_note(int descriptor);
/* Forgets a file, before it is closed. */
extern void hslink_crash_forget_note(int descriptor);

/* Names the component of the image that contains `address`: for crashes on threads that have no marks. The image is
 * never unmapped. */
extern void hslink_crash_add_image(const void *_Nonnull address, const char *_Nonnull component);

#endif /* HSLINK_CRASH_H */
