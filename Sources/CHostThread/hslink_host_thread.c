/*
 * hslink_host_thread.c - what a header cannot hold.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "hslink_host_thread.h"

__thread void *_Nullable hslink_host_thread_word;
