/*
 * hslink_host_thread.h - one word for each thread of a program that is a host; Swift has no variables of threads.
 *
 * Apart from what components consist of: with thread-local storage in a component's file, glibc 2.36 may end the process
 * when a file with some cannot be loaded while another thread is being started ("dl-tls.c: listp != NULL").
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HSLINK_HOST_THREAD_H
#define HSLINK_HOST_THREAD_H

extern __thread void *_Nullable hslink_host_thread_word __attribute__((visibility("hidden")));

static inline void *_Nullable hslink_host_thread_state(void) { return hslink_host_thread_word; }
static inline void hslink_set_host_thread_state(void *_Nullable state) { hslink_host_thread_word = state; }

#endif /* HSLINK_HOST_THREAD_H */
