/*
 * hslink_host_thread.h - one thread-local word for host programs, because Swift has no thread-local variables.
 *
 * Components must not link this target. If a component's file has thread-local storage and fails to load while another
 * thread is being started, glibc 2.36 may abort the process ("dl-tls.c: listp != NULL").
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HSLINK_HOST_THREAD_H
#define HSLINK_HOST_THREAD_H

extern __thread void *_Nullable hslink_host_thread_word __attribute__((visibility("hidden")));

static inline void *_Nullable hslink_host_thread_state(void) { return hslink_host_thread_word; }
static inline void hslink_set_host_thread_state(void *_Nullable state) { hslink_host_thread_word = state; }

#endif /* HSLINK_HOST_THREAD_H */
