/*
 * hslink_host_thread.h - thread-local words for host programs, because Swift has no thread-local variables.
 *
 * Components must not link this target. If a component's file has thread-local storage and fails to load while another
 * thread is being started, glibc 2.36 may abort the process ("dl-tls.c: listp != NULL").
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HSLINK_HOST_THREAD_H
#define HSLINK_HOST_THREAD_H

#include <stdint.h>

/* So that what was built before that header was there is built anew: compilers do not notice a new file in the folder. */
#include "hslink_crash.h"

extern __thread void *_Nullable hslink_host_thread_word __attribute__((visibility("hidden")));

static inline void *_Nullable hslink_host_thread_state(void) { return hslink_host_thread_word; }
static inline void hslink_set_host_thread_state(void *_Nullable state) { hslink_host_thread_word = state; }

/*
 * The counters of the thread. The first one is their number, and a thread without any has a single one, which is zero:
 * so no check for NULL is needed.
 */
extern const uint64_t hslink_host_thread_no_cells[1] __attribute__((visibility("hidden")));
extern __thread const void *_Nonnull hslink_host_thread_cell_word __attribute__((visibility("hidden")));

static inline const void *_Nonnull hslink_host_thread_cells(void) { return hslink_host_thread_cell_word; }
static inline void hslink_set_host_thread_cells(const void *_Nullable cells) {
    hslink_host_thread_cell_word = cells ? cells : hslink_host_thread_no_cells;
}

#endif /* HSLINK_HOST_THREAD_H */
