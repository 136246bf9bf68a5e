/* ReadsResources: finds and reads its resources through the host's extension. */
#include "hslink.h"

#include <stdlib.h>
#include <unistd.h>

#define SELECTOR(name) "{\"name\": \"" name "\", \"kind\": \"class\"}"
HSLINK_MANIFEST("{\"name\": \"ReadsResources\", \"version\": \"1.0.0\", \"classes\": [{\"name\": \"ReadsResourcesLink\","
                " \"selectors\": [" SELECTOR("directory") "," SELECTOR("read") "," SELECTOR("path") ","
                SELECTOR("names") "," SELECTOR("silent") "]}]}")

/* Passes on why there is no resource; `context` is the call to answer. */
static void refuse(void *context, const hslink_error *error) {
    const hslink_call *call = context;
    call->reply.ops->complete(call->reply.slot, call->reply.token, NULL, error);
}

static const hslink_host_resources *table_of(const hslink_host *host) {
    const hslink_host_resources *table = host->get_extension(host, hslink_string_c(HSLINK_RESOURCES));
    return table != NULL && table->struct_size >= HSLINK_HOST_RESOURCES_SIZE_1_0 ? table : NULL;
}

/* The text for `key` in the payload. Returns 0 if there is none. */
static int text(const hslink_value *payload, const char *key, hslink_string *result) {
    const hslink_value *value = hslink_map_get(payload, key);
    if (value == NULL || value->tag != HSLINK_STRING) return 0;
    *result = hslink_string_make(value->as.utf8, value->length);
    return 1;
}

/* Returns the path of the directory. */
static int32_t directory(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    const hslink_host *host = call->component;
    const hslink_host_resources *resources = table_of(host);
    const hslink_failure failure = {refuse, (void *)call};
    hslink_string path = {NULL, 0};
    (void)context; (void)self; (void)payload;
    if (resources == NULL) return hslink_fail(call, HSLINK_ERROR_FAILED, "the host has no " HSLINK_RESOURCES);
    if (resources->directory(host, &path, &failure) != 0) return HSLINK_REPLIED;
    if (path.utf8[path.length] != '\0') return hslink_fail(call, HSLINK_ERROR_FAILED, "the path has no end");
    return hslink_return(call, hslink_utf8(path.utf8, (uint32_t)path.length));
}

/* Returns the content of the file `name`, up to 4 KB. */
static int32_t read_file(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    const hslink_host *host = call->component;
    const hslink_host_resources *resources = table_of(host);
    const hslink_failure failure = {refuse, (void *)call};
    hslink_string name = {NULL, 0}, languages = {NULL, 0};
    int32_t descriptor = -1;
    char content[4096];
    ssize_t length;
    (void)context; (void)self;
    if (resources == NULL) return hslink_fail(call, HSLINK_ERROR_FAILED, "the host has no " HSLINK_RESOURCES);
    (void)text(payload, "name", &name);
    if (resources->open(host, name, text(payload, "languages", &languages) ? &languages : NULL, &descriptor, NULL,
                        &failure) != 0)
        return HSLINK_REPLIED;
    length = read(descriptor, content, sizeof content);
    close(descriptor);
    if (length < 0) return hslink_fail(call, HSLINK_ERROR_FAILED, "the file cannot be read");
    return hslink_return(call, hslink_utf8(content, (uint32_t)length));
}

/* Answers the call in `context` with the path. */
static void answer(void *context, hslink_string path) {
    (void)hslink_return(context, hslink_utf8(path.utf8, (uint32_t)path.length));
}

/* Returns the path of the file `name`. */
static int32_t path_of(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    const hslink_host *host = call->component;
    const hslink_host_resources *resources = table_of(host);
    const hslink_failure failure = {refuse, (void *)call};
    const hslink_text_sink sink = {answer, (void *)call};
    hslink_string name = {NULL, 0}, languages = {NULL, 0};
    int32_t descriptor = -1;
    (void)context; (void)self;
    if (resources == NULL) return hslink_fail(call, HSLINK_ERROR_FAILED, "the host has no " HSLINK_RESOURCES);
    (void)text(payload, "name", &name);
    if (resources->open(host, name, text(payload, "languages", &languages) ? &languages : NULL, &descriptor, &sink,
                        &failure) == 0)
        close(descriptor);
    return HSLINK_REPLIED;
}

/* Copies of the names that a sink has received. */
typedef struct names {
    hslink_value *items;
    uint32_t count, capacity;
} names;

static void collect(void *context, hslink_string name) {
    names *all = context;
    char *copy = malloc(name.length + 1);
    if (all->count == all->capacity) {
        all->capacity = all->capacity * 2 + 16;
        all->items = realloc(all->items, all->capacity * sizeof *all->items);
    }
    if (copy == NULL || all->items == NULL) abort();
    memcpy(copy, name.utf8, name.length);
    all->items[all->count++] = hslink_utf8(copy, (uint32_t)name.length);
}

/* Returns the names of the files in the folder `name`. */
static int32_t names_in(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    const hslink_host *host = call->component;
    const hslink_host_resources *resources = table_of(host);
    const hslink_failure failure = {refuse, (void *)call};
    names all = {NULL, 0, 0};
    const hslink_text_sink sink = {collect, &all};
    hslink_string folder = {NULL, 0}, languages = {NULL, 0};
    uint32_t index;
    (void)context; (void)self;
    if (resources == NULL) return hslink_fail(call, HSLINK_ERROR_FAILED, "the host has no " HSLINK_RESOURCES);
    (void)text(payload, "name", &folder);
    if (resources->names(host, folder, text(payload, "languages", &languages) ? &languages : NULL, &sink,
                         &failure) == 0)
        (void)hslink_return(call, hslink_array(all.items, all.count));
    for (index = 0; index < all.count; index++) free((void *)all.items[index].as.utf8);
    free(all.items);
    return HSLINK_REPLIED;
}

/* Returns how many of the functions fail without a receiver for the reason, with names that are no texts. */
static int32_t silent(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call) {
    const hslink_host *host = call->component;
    const hslink_host_resources *resources = table_of(host);
    names all = {NULL, 0, 0};
    const hslink_text_sink sink = {collect, &all};
    const hslink_string huge = {"x", SIZE_MAX}, null = {NULL, 5};
    int32_t descriptor = -1, failures = 0;
    (void)context; (void)self; (void)payload;
    if (resources == NULL) return hslink_fail(call, HSLINK_ERROR_FAILED, "the host has no " HSLINK_RESOURCES);
    failures += resources->open(host, huge, NULL, &descriptor, NULL, NULL) != 0;
    failures += resources->open(host, null, NULL, &descriptor, NULL, NULL) != 0;
    failures += resources->open(host, hslink_string_c("absent"), &huge, &descriptor, NULL, NULL) != 0;
    failures += resources->names(host, huge, NULL, &sink, NULL) != 0;
    failures += resources->names(host, null, NULL, &sink, NULL) != 0;
    return hslink_return(call, hslink_int(descriptor == -1 && all.count == 0 ? failures : -1));
}

static int32_t create(const hslink_descriptor *self, const hslink_host *host, void **component,
                      const hslink_failure *failure) {
    (void)self; (void)failure;
    *component = (void *)host;
    return 0;
}

static const hslink_method methods[] = {
    {HSLINK_LITERAL("directory"), HSLINK_CLASS_METHOD, 0, directory, NULL},
    {HSLINK_LITERAL("read"), HSLINK_CLASS_METHOD, 0, read_file, NULL},
    {HSLINK_LITERAL("path"), HSLINK_CLASS_METHOD, 0, path_of, NULL},
    {HSLINK_LITERAL("names"), HSLINK_CLASS_METHOD, 0, names_in, NULL},
    {HSLINK_LITERAL("silent"), HSLINK_CLASS_METHOD, 0, silent, NULL},
};
static const hslink_class link_class = HSLINK_CLASS("ReadsResourcesLink", methods, NULL, NULL);
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor = HSLINK_DESCRIPTOR("ReadsResources", "1.0.0", classes, create, NULL);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
