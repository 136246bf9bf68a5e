/*
 * hslink_host_thread.c - the definitions of the thread-local words.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "hslink_host_thread.h"

__thread void *_Nullable hslink_host_thread_word;
const uint64_t hslink_host_thread_no_cells[1] = {0};
__thread const void *_Nonnull hslink_host_thread_cell_word = hslink_host_thread_no_cells;
