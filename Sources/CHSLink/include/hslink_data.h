/*
 * hslink_data.h - a directory for what a component keeps. A part of hslink.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HSLINK_DATA_H
#define HSLINK_DATA_H

#ifndef HSLINK_H
#error "include hslink.h, which includes this file"
#endif

/* ---- The extension "hslink.data/1" of a host ------------------------------------------------ */

/* For hslink_host.get_extension, which answers a hslink_host_data. Hosts of ABI 1.0 may not have it. */
#define HSLINK_DATA "hslink.data/1"

/* The domain of failures of hslink_host_data.directory, and its codes. */
#define HSLINK_DATA_DOMAIN "hslink.data"
enum {
    HSLINK_DATA_NONE = 1,      /* the host keeps no data: it was given no directory for that */
    HSLINK_DATA_IN_USE = 2,    /* another host has the data directory; the message names its process */
    HSLINK_DATA_UNTRUSTED = 3, /* others may write to the data directory, or a link leads out of it */
    HSLINK_DATA_SYSTEM = 4     /* the directory could not be made or opened; the message has the system's words */
};

/* Where a component keeps what has to outlive the process: files of its own, in a directory of its own. A host
 * takes its data directory for itself alone, so no other process works on the same files. Constant for the process. */
typedef struct hslink_host_data {
    uint32_t struct_size;
    uint32_t reserved;
    /* Makes the component's directory at the first use: named after the component, below the host's data
     * directory, for the host's user alone (0700). What lies in it stays when the host ends.
     * 0: `*path` is its absolute path, ends with a NUL, and is valid as long as `self`. Else `failure`, where not
     * NULL, was told: with one of the codes above in their domain, or HSLINK_ERROR_STOPPED; the next use tries
     * again. Blocks while it makes and locks directories. */
    int32_t (*HSLINK_NONNULL directory)(const hslink_host *HSLINK_NONNULL self, hslink_string *HSLINK_NONNULL path,
                                        const hslink_failure *HSLINK_NULLABLE failure);
} hslink_host_data;

HSLINK_ENDS(hslink_host_data, directory, HSLINK_HOST_DATA_SIZE_1_0);

#endif /* HSLINK_DATA_H */
