/* Counts the calling thread's heap allocations, by standing in front of the C library's functions. */
#ifndef ALLOCATIONS_H
#define ALLOCATIONS_H

/* How many the calling thread has made so far. */
long allocations_of_this_thread(void);

#endif
