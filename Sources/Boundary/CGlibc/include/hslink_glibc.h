/*
 * hslink_glibc.h - functions of the C library that Swift's Glibc module lacks: <dlfcn.h>, <pthread.h>, <stdio.h>,
 * <sys/socket.h> and <unistd.h> declare them only with _GNU_SOURCE, and the module does not include <sys/eventfd.h> and
 * <sys/random.h>.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HSLINK_GLIBC_H
#define HSLINK_GLIBC_H

#include <stddef.h>
#include <stdint.h>

/* Returns 1 if the access control list of the file at `path` lets users or groups write that it names, besides the owner
 * and the owning group; otherwise, and for a file without a list, 0. Links are followed. See acl(5). */
int hslink_acl_names_writers(const char *_Nonnull path);

/* Mirrors Dl_info of <dlfcn.h>. */
typedef struct hslink_dl_info {
    const char *_Nullable file_name;
    void *_Nullable base;
    const char *_Nullable symbol_name;
    void *_Nullable symbol;
} hslink_dl_info;

extern int dladdr(const void *_Nonnull address, hslink_dl_info *_Nonnull info);
extern int pthread_setname_np(unsigned long thread, const char *_Nonnull name);
extern int gettid(void);
extern int getpid(void);
extern int eventfd(unsigned int count, int flags);
extern long syscall(long number, ...);
extern long getrandom(void *_Nonnull buffer, size_t length, unsigned int flags);
extern int renameat2(
    int from_directory, const char *_Nonnull from, int to_directory, const char *_Nonnull to, unsigned int flags);
extern int accept4(int descriptor, void *_Nullable address, void *_Nullable length, int flags);

/* EFD_CLOEXEC | EFD_NONBLOCK of <sys/eventfd.h>. */
#define HSLINK_EVENTFD_FLAGS (02000000 | 00004000)

/* The path of the file that contains `address`, as recorded by the dynamic loader; NULL if there is none. */
static inline const char *_Nullable hslink_file_of(const void *_Nonnull address) {
    hslink_dl_info info = {NULL, NULL, NULL, NULL};
    return dladdr(address, &info) != 0 ? info.file_name : NULL;
}

/* The base address of the image that contains `address`; NULL if there is none. */
static inline const void *_Nullable hslink_image_of(const void *_Nonnull address) {
    hslink_dl_info info = {NULL, NULL, NULL, NULL};
    return dladdr(address, &info) != 0 ? info.base : NULL;
}

/* The approximate top of this thread's stack, which grows downwards. */
static inline __attribute__((always_inline)) uintptr_t hslink_stack_position(void) {
    return (uintptr_t)__builtin_frame_address(0);
}

/* The lowest address of this thread's stack, and the size of the reserve that begins there. A call that would begin in
 * the reserve is refused, so that called methods have stack left. Both are 0 if unknown. */
typedef struct hslink_stack_reserve {
    uintptr_t start, size;
} hslink_stack_reserve;
extern hslink_stack_reserve hslink_reserve_of_stack(void);

/* `name` has at most 15 bytes. */
static inline void hslink_set_thread_name(unsigned long thread, const char *_Nonnull name) {
    (void)pthread_setname_np(thread, name);
}

/* Keeps the compiler from moving memory accesses across this point; emits no instruction. */
static inline void hslink_compiler_fence(void) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }

/* membarrier(2) of <linux/membarrier.h>: when it returns, every thread of the process has passed a full fence. */
#if defined(__x86_64__)
#define HSLINK_SYS_MEMBARRIER 324
#else
#define HSLINK_SYS_MEMBARRIER 283
#endif
/* Registers the process for membarrier(2). 1 if the kernel supports it. */
static inline int hslink_register_membarrier(void) { return syscall(HSLINK_SYS_MEMBARRIER, 1 << 4, 0, 0) == 0; }
/* 1 if every thread has passed a fence. */
static inline int hslink_membarrier(void) { return syscall(HSLINK_SYS_MEMBARRIER, 1 << 3, 0, 0) == 0; }

extern int prctl(int option, ...);
/* From now on, descendants whose parent has ended become children of this process (PR_SET_CHILD_SUBREAPER of
 * <sys/prctl.h>). */
static inline void hslink_adopt_orphans(void) { (void)prctl(36, 1, 0, 0, 0); }

/* 1 on the main thread. */
static inline int hslink_is_main_thread(void) { return gettid() == getpid(); }

/* Copies memory of an image, including the address sanitizer's padding between globals. */
__attribute__((no_sanitize("address"), noinline, unused))
static void hslink_copy_image(void *_Nonnull to, const void *_Nonnull from, size_t size) {
    unsigned char *target = (unsigned char *)to;
    const volatile unsigned char *source = (const volatile unsigned char *)from;
    for (size_t index = 0; index < size; index++) target[index] = source[index];
}

/* Continues `digest`, initially 0, with `size` more bytes; all chunks but the last must be multiples of 32. Not
 * collision resistant: do not use it for data from an adversary. */
static inline uint64_t hslink_digest(uint64_t digest, const void *_Nonnull bytes, size_t size) {
    const unsigned char *next = (const unsigned char *)bytes;
    /* The size is mixed before the first word, which could otherwise undo the difference of two sizes. */
    digest = (digest ^ (0x9E3779B97F4A7C15u + size)) * 0xFF51AFD7ED558CCDu;
    digest ^= digest >> 29;
    if (size >= 32) {
        /* Four at a time, since each multiplication waits for the one before it. */
        uint64_t lanes[4] = {digest, digest + 1, digest + 2, digest + 3};
        for (; size >= 32; size -= 32, next += 32) {
            for (int lane = 0; lane < 4; lane++) {
                uint64_t word;
                __builtin_memcpy(&word, next + 8 * lane, sizeof word);
                lanes[lane] = (lanes[lane] ^ word) * 0xFF51AFD7ED558CCDu;
                lanes[lane] ^= lanes[lane] >> 29;
            }
        }
        for (int lane = 0; lane < 4; lane++) {
            digest = (digest ^ lanes[lane]) * 0xFF51AFD7ED558CCDu;
            digest ^= digest >> 29;
        }
    }
    for (; size > 0; ) {
        uint64_t word = 0;
        size_t count = size < sizeof word ? size : sizeof word;
        __builtin_memcpy(&word, next, count);
        next += count;
        size -= count;
        digest = (digest ^ word) * 0xFF51AFD7ED558CCDu;
        digest ^= digest >> 29;
    }
    return digest;
}

#endif /* HSLINK_GLIBC_H */
