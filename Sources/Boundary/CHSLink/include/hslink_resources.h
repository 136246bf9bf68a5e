/*
 * hslink_resources.h - read-only files that come with a component. A part of hslink.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HSLINK_RESOURCES_H
#define HSLINK_RESOURCES_H

#ifndef HSLINK_H
#error "include hslink.h, which includes this file"
#endif

/* ---- The extension "hslink.resources/1" of a host -------------------------------------------- */

/* For hslink_host.get_extension, which returns an hslink_host_resources. Hosts of ABI 1.0 may lack it. */
#define HSLINK_RESOURCES "hslink.resources/1"

/* The domain and the codes of the errors that the functions of hslink_host_resources report. Each error names the
 * component, and its message names the file. */
#define HSLINK_RESOURCES_DOMAIN "hslink.resources"
enum {
    HSLINK_RESOURCES_NOT_FOUND = 1, /* there is no such file or folder, or the component has no resources */
    HSLINK_RESOURCES_NAME = 2,      /* the name is not valid */
    HSLINK_RESOURCES_OUTSIDE = 3,   /* a link leads out of the directory */
    HSLINK_RESOURCES_UNTRUSTED = 4, /* other users may write to the file, or to a directory on the way to it */
    HSLINK_RESOURCES_KIND = 5,      /* a file was expected, but it is a directory or a special file */
    HSLINK_RESOURCES_TOO_LARGE = 6, /* the file or the folder is larger than the limit */
    HSLINK_RESOURCES_CONTENT = 7,   /* the file is not text in UTF-8, or not the expected JSON */
    HSLINK_RESOURCES_SYSTEM = 8     /* the file could not be opened or read; the message includes the system's */
};

/* Receives texts, on the calling thread and before the function returns, each borrowed until `receive` returns. Never
 * grows. */
typedef struct hslink_text_sink {
    void (*HSLINK_NONNULL receive)(void *HSLINK_NULLABLE context, hslink_string text);
    void *HSLINK_NULLABLE context;
} hslink_text_sink;

/* Finds the resources of a component: the directory NAME.resources next to its file, or else the one bundle
 * PACKAGE_MODULE.resources that SwiftPM has made for its module. For a component that is linked into the program, they
 * are next to the program. The rules for owners and permissions are those for the component's file.
 *
 * A name is a path relative to the directory, as in "icons/play.png": at most 1,024 bytes of UTF-8 without NUL, with
 * single slashes between its parts, none of which is "." or "..". A link on the way may lead to another place in the
 * directory, but not out of it.
 *
 * A file for a language is in the folder LANGUAGE.lproj. For the language de-DE, these files are tried in this order:
 * de-DE.lproj/NAME, de.lproj/NAME, NAME, Base.lproj/NAME, en.lproj/NAME. `languages` lists languages in order of
 * preference, separated by commas, as in "de-DE,fr"; NULL stands for those of the host. A list of more than
 * HSLINK_NAME_BYTES counts as empty.
 *
 * Nothing is cached, so a change to the files is visible at once. Constant for the life of the process. The functions
 * read directories and files, so they block. Each returns 0 on success. Any other number is a failure, reported to
 * `failure` unless that is NULL: one of the codes above in their domain. They also work after the host has stopped. */
typedef struct hslink_host_resources {
    uint32_t struct_size;
    uint32_t reserved;
    /* Sets `*path` to the absolute path of the directory, without links, NUL-terminated and valid as long as `self`.
     * HSLINK_RESOURCES_NOT_FOUND: the component has no resources. To open a file whose name comes from outside, use
     * `open`, which does not let the name lead out of the directory. */
    int32_t (*HSLINK_NONNULL directory)(const hslink_host *HSLINK_NONNULL self, hslink_string *HSLINK_NONNULL path,
                                        const hslink_failure *HSLINK_NULLABLE failure);
    /* Opens a regular file for reading and sets `*descriptor` (close-on-exec), which the caller closes. Unless `path` is NULL, it
     * receives the absolute path of the file, without links. */
    int32_t (*HSLINK_NONNULL open)(const hslink_host *HSLINK_NONNULL self, hslink_string name,
                                   const hslink_string *HSLINK_NULLABLE languages,
                                   int32_t *HSLINK_NONNULL descriptor,
                                   const hslink_text_sink *HSLINK_NULLABLE path,
                                   const hslink_failure *HSLINK_NULLABLE failure);
    /* Passes the names of the files in a folder to `names`, in ascending order, each once, including those that exist
     * only for one of the languages. They do not include the folder. The empty name stands for the directory itself,
     * which has no files if it does not exist. Subfolders are left out. On failure, no name is passed. */
    int32_t (*HSLINK_NONNULL names)(const hslink_host *HSLINK_NONNULL self, hslink_string folder,
                                    const hslink_string *HSLINK_NULLABLE languages,
                                    const hslink_text_sink *HSLINK_NONNULL names,
                                    const hslink_failure *HSLINK_NULLABLE failure);
} hslink_host_resources;

HSLINK_ENDS(hslink_host_resources, names, HSLINK_HOST_RESOURCES_SIZE_1_0);
HSLINK_ASSERT(sizeof(hslink_text_sink) == 16, "hslink_text_sink never grows");

#endif /* HSLINK_RESOURCES_H */
