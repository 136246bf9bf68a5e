/* Counts the calling thread's heap allocations by interposing the functions of the C library. */
#ifndef ALLOCATIONS_H
#define ALLOCATIONS_H

/* Returns the number of allocations that the calling thread has made so far. */
long allocations_of_this_thread(void);

#endif
