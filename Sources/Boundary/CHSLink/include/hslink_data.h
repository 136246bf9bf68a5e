/*
 * hslink_data.h - a directory for a component's persistent files. A part of hslink.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HSLINK_DATA_H
#define HSLINK_DATA_H

#ifndef HSLINK_H
#error "include hslink.h, which includes this file"
#endif

/* ---- The extension "hslink.data/1" of a host ------------------------------------------------ */

/* For hslink_host.get_extension, which returns an hslink_host_data. Hosts of ABI 1.0 may lack it. */
#define HSLINK_DATA "hslink.data/1"

/* The domain and the codes of the errors that hslink_host_data.directory reports. */
#define HSLINK_DATA_DOMAIN "hslink.data"
enum {
    HSLINK_DATA_NONE = 1,      /* the host was started without a data directory */
    HSLINK_DATA_IN_USE = 2,    /* another host uses the data directory; the message names its process */
    HSLINK_DATA_UNTRUSTED = 3, /* other users may write to the data directory, or a link leads out of it */
    HSLINK_DATA_SYSTEM = 4     /* the directory could not be made or opened; the message includes the system's */
};

/* Gives a component its own directory for files that must outlive the process. A host locks its data directory, so
 * no other host uses the same files. Constant for the life of the process. */
typedef struct hslink_host_data {
    uint32_t struct_size;
    uint32_t reserved;
    /* Makes the component's directory at the first use: named after the component, inside the host's data
     * directory, accessible only to the host's user (0700). Its contents stay when the host ends.
     * Returns 0 and sets `*path` to the absolute path, which is NUL-terminated and valid as long as `self`. Any other
     * number is a failure, reported to `failure` unless that is NULL: one of the codes above in their domain, or
     * HSLINK_ERROR_STOPPED. The next use tries again. Blocks while it makes and locks directories. */
    int32_t (*HSLINK_NONNULL directory)(const hslink_host *HSLINK_NONNULL self, hslink_string *HSLINK_NONNULL path,
                                        const hslink_failure *HSLINK_NULLABLE failure);
    /* Does the same for a directory of what can be made again, such as downloads. Other hosts may use it at the same
     * time, so replace files with rename(2). It may be empty after a restart. Added after the first revision:
     * check HSLINK_HAS(table, cache_directory). */
    int32_t (*HSLINK_NONNULL cache_directory)(const hslink_host *HSLINK_NONNULL self,
                                              hslink_string *HSLINK_NONNULL path,
                                              const hslink_failure *HSLINK_NULLABLE failure);
} hslink_host_data;

HSLINK_ENDS(hslink_host_data, directory, HSLINK_HOST_DATA_SIZE_1_0);

#endif /* HSLINK_DATA_H */
