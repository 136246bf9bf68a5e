/*
 * hslink_configuration.h - what operators have configured for a component. A part of hslink.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HSLINK_CONFIGURATION_H
#define HSLINK_CONFIGURATION_H

#ifndef HSLINK_H
#error "include hslink.h, which includes this file"
#endif

/* ---- The extension "hslink.configuration/1" of a host ---------------------------------------- */

/* For hslink_host.get_extension, which returns an hslink_host_configuration. Hosts of ABI 1.0 may lack it. */
#define HSLINK_CONFIGURATION "hslink.configuration/1"

/* The domain and the codes of the errors that the functions of hslink_host_configuration report. */
#define HSLINK_CONFIGURATION_DOMAIN "hslink.configuration"
enum {
    HSLINK_CONFIGURATION_INVALID = 1,    /* a value does not have the expected type, or a required one is missing */
    HSLINK_CONFIGURATION_SOURCE = 2,     /* a file could not be read or is malformed */
    HSLINK_CONFIGURATION_UNDECLARED = 3, /* the manifest does not name a model */
    HSLINK_CONFIGURATION_KEY = 4         /* the key is not valid */
};

/* The types of values. HSLINK_CONFIGURATION_LIST is added to one of the others for a list of its values. */
enum {
    HSLINK_CONFIGURATION_STRING = 0,
    HSLINK_CONFIGURATION_INT = 1,
    HSLINK_CONFIGURATION_DOUBLE = 2,
    HSLINK_CONFIGURATION_BOOL = 3,
    HSLINK_CONFIGURATION_BYTES = 4, /* in Base64, as files cannot contain bytes */
    HSLINK_CONFIGURATION_LIST = 16
};

/* Receives a value, on the calling thread and before the function returns, borrowed until `receive` returns. Never
 * grows. */
typedef struct hslink_value_sink {
    void (*HSLINK_NONNULL receive)(void *HSLINK_NULLABLE context, const hslink_value *HSLINK_NONNULL value);
    void *HSLINK_NULLABLE context;
} hslink_value_sink;

/* Reads the component's section of the host's configuration: files, environment variables and the command line, as the
 * host chooses. Constant for the life of the process. Each function returns what holds now; the event
 * "hslink.host/configurationChanged" tells when that changes. The functions do not read files and may be called from
 * any thread. `values` and `value` return 0 on success. Any other number is a failure, reported to `failure` unless
 * that is NULL: one of the codes above in their domain, with a message that names the source and the key. */
typedef struct hslink_host_configuration {
    uint32_t struct_size;
    uint32_t reserved;
    /* Returns "dev", "test", "stage" or "prod". Never changes, and is valid for the life of the process. */
    hslink_string (*HSLINK_NONNULL environment)(const hslink_host *HSLINK_NONNULL self);
    /* Passes an HSLINK_MAP to `sink`: the values of the model that the manifest names as "configuration", without
     * those that are missing and have a default value or are optional. On failure, nothing is passed.
     * HSLINK_CONFIGURATION_UNDECLARED: the manifest does not name a model. */
    int32_t (*HSLINK_NONNULL values)(const hslink_host *HSLINK_NONNULL self,
                                     const hslink_value_sink *HSLINK_NONNULL sink,
                                     const hslink_failure *HSLINK_NULLABLE failure);
    /* Passes the value of a key to `sink`; nothing if there is none. A dot separates the parts of a key, as in
     * "proxy.host". */
    int32_t (*HSLINK_NONNULL value)(const hslink_host *HSLINK_NONNULL self, hslink_string key, uint32_t type,
                                    const hslink_value_sink *HSLINK_NONNULL sink,
                                    const hslink_failure *HSLINK_NULLABLE failure);
} hslink_host_configuration;

HSLINK_ENDS(hslink_host_configuration, value, HSLINK_HOST_CONFIGURATION_SIZE_1_0);
HSLINK_ASSERT(sizeof(hslink_value_sink) == 16, "hslink_value_sink never grows");

#endif /* HSLINK_CONFIGURATION_H */
