/*
 * hslink_fork.h - descriptors that forked children must not keep.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HSLINK_FORK_H
#define HSLINK_FORK_H

/* Keeps other threads from forking until hslink_fork_unlock. Between the two, a descriptor is opened and registered, so
 * that no child gets one that is not registered yet. Do not block in between. */
extern void hslink_fork_lock(void);
extern void hslink_fork_unlock(void);

/* Registers a descriptor, which is closed in every child that is forked from now on. Call it between hslink_fork_lock
 * and hslink_fork_unlock. 0, or -1 if there is no memory. */
extern int hslink_fork_close_in_children(int descriptor);

/* Forgets a registered descriptor. */
extern void hslink_fork_forget(int descriptor);

#endif /* HSLINK_FORK_H */
