/*
 * hslink_fork.c - closes descriptors in forked children.
 *
 * A component may fork without exec, and its child may outlive the host. Close-on-exec does not help then, and the child
 * has the host's lock and listening sockets, because flock(2) and listen(2) belong to the open file description, which
 * parent and child share. fcntl(2) has two other kinds of lock. Those of open file descriptions (F_OFD_SETLK) are shared
 * in the same way. Those of a process (F_SETLK) are not inherited, but the process loses them as soon as any code in it
 * closes any descriptor of the file, such as a component that copies its data directory, and they do not keep two hosts
 * in one process apart. So the lock stays flock(2), and a handler of pthread_atfork(3) closes the child's copies, which
 * leaves the lock with the parent. It only calls fstat(2) and close(2), which are safe between fork and exec.
 *
 * Children of _Fork(3), vfork(2) and clone(2) run no handlers. The error message about a lock names them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE
#include "hslink_fork.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* A descriptor, and the file that it was opened for: other code may have closed it, and the number be reused. */
typedef struct registration {
    int descriptor;
    dev_t device;
    ino_t inode;
} registration;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static registration *registrations;
static size_t count, capacity;

static void before_fork(void) { (void)pthread_mutex_lock(&mutex); }

static void after_fork(void) { (void)pthread_mutex_unlock(&mutex); }

static void in_child(void) {
    for (size_t index = 0; index < count; index++) {
        struct stat status;
        const registration *entry = &registrations[index];
        if (fstat(entry->descriptor, &status) == 0 && status.st_dev == entry->device && status.st_ino == entry->inode)
            close(entry->descriptor);
    }
    count = 0;
    after_fork();
}

static void install(void) { (void)pthread_atfork(before_fork, after_fork, in_child); }

void hslink_fork_lock(void) {
    /* Before the mutex is taken: fork calls the handlers, which take it, with a lock that pthread_atfork needs. */
    (void)pthread_once(&once, install);
    (void)pthread_mutex_lock(&mutex);
}

void hslink_fork_unlock(void) { (void)pthread_mutex_unlock(&mutex); }

int hslink_fork_close_in_children(int descriptor) {
    struct stat status;
    size_t index = 0;
    if (fstat(descriptor, &status) != 0) return -1;
    while (index < count && registrations[index].descriptor != descriptor) index++;
    if (index == capacity) {
        const size_t larger = capacity == 0 ? 16 : 2 * capacity;
        registration *const moved = realloc(registrations, larger * sizeof *moved);
        if (moved == NULL) return -1;
        registrations = moved;
        capacity = larger;
    }
    if (index == count) count++;
    registrations[index] = (registration){descriptor, status.st_dev, status.st_ino};
    return 0;
}

void hslink_fork_forget(int descriptor) {
    hslink_fork_lock();
    for (size_t index = 0; index < count; index++) {
        if (registrations[index].descriptor != descriptor) continue;
        registrations[index] = registrations[--count];
        break;
    }
    hslink_fork_unlock();
}
