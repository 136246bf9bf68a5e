/*
 * hslink_host_thread.c - the definition of the thread-local word.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "hslink_host_thread.h"

__thread void *_Nullable hslink_host_thread_word;
