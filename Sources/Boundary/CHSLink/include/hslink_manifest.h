/*
 * hslink_manifest.h - how a file describes its contents: notes for hosts, records for its own image.
 * A part of hslink.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HSLINK_MANIFEST_H
#define HSLINK_MANIFEST_H

#ifndef HSLINK_H
#error "include hslink.h, which includes this file"
#endif

/* ---- Manifests -------------------------------------------------------------------------- */

/* A manifest is JSON text in ELF notes in the section .note.hslink with the owner "HSL". Hosts find it
 * through PT_NOTE, so it survives strip. Notes may come in any order. The text is padded to a multiple of 8
 * bytes with NUL bytes or spaces.
 *
 *     {"name": "Greeter", "version": "1.0.0",                     as in the descriptor; both required
 *      "layer": "business", "summary": "Greets people.",          informative only
 *      "classes": [{
 *          "name": "Greeter", "summary": "…",
 *          "instances": "shared",                                 or "perCall", "perConsumer", as in hslink_class
 *          "selectors": [{
 *              "name": "hello", "kind": "class",                  or "object", the default
 *              "parameters": {"name": "String"}, "result": "String", "summary": "…",
 *              "quick": true, "async": false, "mainActor": false}]}],
 *      "requires": [
 *          {"component": "Account", "version": ">=1.2.0 <2.0.0", "optional": true},
 *          {"class": "HostLink"}]}
 *
 * Parameters. A host compares the payload of a call with "parameters", and answers HSLINK_ERROR_PAYLOAD if a key without
 * a default is missing or a value has another type; keys that are not declared are passed on. So a method may rely on
 * the types that it declares, except that Double may arrive as any number, and that "Type?" and keys with a default may
 * be missing or null. Types are Bool, Int, UInt (also of 8, 16, 32 or 64 bits), Double, Float, String, URL, UUID, Data
 * (bytes, or an array of integers), Date, [Type], [String: Type], array, map, Payload (anything), and models, described
 * below. In lower case, bool, int, uint, double, float, string and date mean the same, and bytes means Data. A type that
 * nothing describes is not checked, and hslink check reports it. The host leaves this check to components whose
 * HSLINK_NOTE_TOOLCHAIN names a compiler, as those in Swift do, and to objects, which have no manifest.
 *
 * A class that is not declared here cannot be called. A version range is a list of comparators (>= > <= < =)
 * separated by spaces; a plain 1.2.0 means >=1.2.0 <2.0.0. Keys that begin with "x-" are reserved for authors. Any
 * other unknown key is an error, unless the file was built with a later header than the host.
 *
 * Services. A class may declare the services it provides, and the file describes the forms it was compiled with:
 *
 *     "classes": [{"name": "AccountLink", "provides": ["com.example.account/1"], "selectors": […]}],
 *     "services": [{"name": "com.example.account/1", "module": "AccountContract", "protocol": "AccountService",
 *                   "arguments": "AccountOptions", "selectors": [
 *         {"name": "signIn", "kind": "class", "parameters": {"name": "String", "limit": "Int = 10"},
 *          "result": "Session?", "async": true}]}],
 *     "models": [
 *         {"module": "AccountContract", "name": "Session", "fields": {"user": "User", "nick": "String?"}},
 *         {"module": "AccountContract", "name": "Shape", "cases": {"circle": {"radius": "Double"}, "none": {}}},
 *         {"module": "AccountContract", "name": "Kind", "raw": "Int", "cases": {"a": "1", "b": "2"}, "error": true}],
 *     "requires": [{"service": "com.example.account/1"}, {"class": "HostLink", "selectors": ["log", "+open"]}]
 *
 * "provides" lists names of services, which contain a slash, or names of protocols as written in Swift
 * ("AccountService", "AccountContract.AccountService") whose service is described in the same file; a requirement
 * {"protocol": "AccountService"} works the same way. A class also answers the selectors of its services that it does
 * not list. "arguments" is present only if instances of the service are made with arguments. Types are written as
 * above, followed by " = " and a default if the key may be missing; anything that is not a Swift type is compared as
 * text. A + before a required selector means a class method. Hosts compare the consumer's description of a service
 * with the provider's.
 *
 * A model with "fields" may have "sparse": true: who writes a map of it leaves out what is equal to its default, or null
 * where there is none.
 *
 * In an enum with raw values ("raw" is their type), each case has its raw value as text, numbers in decimal; {} leaves
 * the value unspecified, and it is not compared. In other enums, each case has its associated values, {} for none.
 *
 * Routes. A selector may have routes: opening a URL that matches the pattern calls the selector, with the placeholders
 * and the query items as keys of its payload, converted to the types of "parameters". Only "pattern" is required:
 *
 *     {"name": "open", "parameters": {"id": "Int", "autoplay": "Bool = false"}, "routes": [
 *         {"pattern": "studio://video/:id", "public": true, "tags": ["signed-in"], "priority": 5},
 *         {"pattern": "/watch/:id"}]}
 *
 * A public route can be opened from outside the process: by every source that the host allows or, if "public" is a
 * list such as ["browser"], by these only. Among routes that match, the one with the highest priority is tried first,
 * -1000000 to 1000000; then the most specific one. A method that fails with HSLINK_ERROR_ROUTE_DECLINED passes the URL
 * on to the next. A selector has at most 64 routes, and a route has at most 16 tags and 16 sources, each of 1 to 64
 * letters, digits, "_", "." or "-". If the selector declares parameters, each placeholder is one of them. A route that is not
 * valid is left out, and the rest of the component stays.
 *
 *     {"name": "check", "parameters": {"request": "RouteRequest"}, "result": "RouteDecision",
 *      "intercepts": {"priority": 100, "tags": ["signed-in"]}}
 *
 * is an interceptor: the host calls it before it opens a route that has one of the tags, or any route if there are
 * none, and the one with the highest priority first. Its parameter, or "request" if it declares none, is a map with
 * "url", "pattern", "component", "class", "selector", "kind", "parameters", "tags", "public" and "source" (null when
 * opened from inside the process). It answers "pass", {"change": {"parameters": {…}}}, {"redirect": {"url": "…"}},
 * {"openFirst": {"url": "…"}} (open that, then this) or {"refuse": {"reason": "…"}}. A URL may be followed by
 * "parameters" to pass beside it.
 *
 * Events. A selector with one parameter may handle an event, a model may be an event, and a component may list what it
 * posts and start with the host; "priority" is -1000000 to 1000000. A handler receives the events of one name in the
 * order in which they were posted, one at a time, unless "on" has "concurrent": true:
 *
 *     {"name": "warn", "parameters": {"storm": "StormExpected"},
 *      "on": {"event": "com.example.weather/stormExpected", "loads": true, "priority": 10}}
 *     {"module": "WeatherContract", "name": "StormExpected", "fields": {…},
 *      "event": "com.example.weather/stormExpected"}
 *     "posts": ["com.example.weather/stormExpected"], "starts": "withHost", "priority": 5
 *
 * Pages. A selector may return the view of a page module. It has one or two parameters: the context, a map with "page",
 * "section" and "title", and the data that a page gives to the module. Its result is a view, as PageKit defines it:
 *
 *     {"name": "forecast", "parameters": {"context": "PageContext", "data": "ForecastPlace"}, "result": "ViewNode",
 *      "pageModule": {"name": "weather.forecast"}}
 *
 * A page module whose result is "Bool" or "bool" is a condition: pages hide sections while it answers true, or unless it
 * does.
 *
 * Configuration. A component may name the model that it reads from its section of the host's configuration; see
 * HSLINK_CONFIGURATION:
 *
 *     "configuration": "Options", "models": [{"name": "Options", "fields": {"address": "String", "limit": "Int = 5"}}]
 *
 * The host's own class "hslink.Services" looks up providers (class methods; they load nothing):
 * "find" {"service": "com.example.account/1"} answers {"class", "component", "version"}, or fails with the reason, for
 * example if caller and provider were compiled with different forms; "component" in the payload restricts the search
 * to that component. "provides" {"service": …} answers whether "find" would succeed,
 * and "providers" {"service": …} the names of all components that it would find, as {"components": [...]}.
 *
 * A file may put everything into one note of type 1, or each class, service and model into its own note, as an item of
 * "classes", "services" or "models" with "module" for the Swift module that it comes from. In a component's file all
 * notes belong to its one component. In an executable a class belongs to the component of its module, and services and
 * models belong to all components. Equal notes count once; notes that disagree about a service, model or class are an
 * error.
 *
 * Note types (readers skip unknown ones): */
enum {
    HSLINK_NOTE_COMPONENT = 1, /* the component; exactly one for each file */
    HSLINK_NOTE_LINK_CLASS = 2, /* an item of "classes" */
    HSLINK_NOTE_SERVICE = 3,    /* an item of "services" */
    HSLINK_NOTE_MODEL = 4,      /* an item of "models" */
    HSLINK_NOTE_TOOLCHAIN = 16 /* {"abi": "1.0", "compiler": "6.3.1"}: the toolchain that built the file */
};

#define HSLINK_NOTE(name_, type_, text_)                                                           \
    static const struct {                                                                          \
        uint32_t name_size, text_size, type;                                                       \
        char owner[4];                                                                             \
        char text[(sizeof(text_) + 7) / 8 * 8];                                                    \
    } name_ __attribute__((section(".note.hslink"), used, aligned(8))) = {                         \
        4, (uint32_t)((sizeof(text_) + 7) / 8 * 8), type_, {'H', 'S', 'L', 0}, text_};

#define HSLINK_TEXT_(number) #number
#define HSLINK_TEXT(number) HSLINK_TEXT_(number)

/* Embeds the manifest, one string literal of JSON, in the file. Use it once for each component, at file scope. */
#define HSLINK_MANIFEST(json)                                                                      \
    HSLINK_NOTE(hslink_note_component, HSLINK_NOTE_COMPONENT, json)                                \
    HSLINK_NOTE(hslink_note_toolchain, HSLINK_NOTE_TOOLCHAIN,                                      \
                "{\"abi\": \"" HSLINK_TEXT(HSLINK_ABI_MAJOR) "." HSLINK_TEXT(HSLINK_ABI_MINOR) "\"}")

/* Initialisers for the structs of a component. `methods_` and `classes_` are arrays; `get_extension_` may be NULL. */
#define HSLINK_CLASS(name_, methods_, make_, context_)                                             \
    {sizeof(hslink_class), HSLINK_SHARED, HSLINK_LITERAL(name_), methods_,                         \
     sizeof(methods_) / sizeof((methods_)[0]), sizeof(hslink_method), make_, context_}
#define HSLINK_CLASS_PER_CALL(name_, methods_, make_, context_)                                    \
    {sizeof(hslink_class), HSLINK_PER_CALL, HSLINK_LITERAL(name_), methods_,                       \
     sizeof(methods_) / sizeof((methods_)[0]), sizeof(hslink_method), make_, context_}
#define HSLINK_CLASS_PER_CONSUMER(name_, methods_, make_, context_)                                \
    {sizeof(hslink_class), HSLINK_PER_CONSUMER, HSLINK_LITERAL(name_), methods_,                   \
     sizeof(methods_) / sizeof((methods_)[0]), sizeof(hslink_method), make_, context_}
#define HSLINK_DESCRIPTOR(name_, version_, classes_, create_, destroy_)                            \
    HSLINK_DESCRIPTOR_EXTENDED(name_, version_, classes_, create_, destroy_, NULL)
#define HSLINK_DESCRIPTOR_EXTENDED(name_, version_, classes_, create_, destroy_, get_extension_)   \
    {HSLINK_MAGIC, sizeof(hslink_descriptor), HSLINK_ABI_MAJOR, HSLINK_ABI_MINOR,                  \
     HSLINK_LITERAL(name_), HSLINK_LITERAL(version_), classes_,                                    \
     sizeof(classes_) / sizeof((classes_)[0]), create_, destroy_, get_extension_}
#define HSLINK_OBJECT_TYPE(name_, retain_, release_, invoke_, get_extension_)                      \
    {sizeof(hslink_object_type), 0, HSLINK_LITERAL(name_), retain_, release_, invoke_, get_extension_}

/* ---- Records ---------------------------------------------------------------------------- */

/* How language support finds the parts of a component in its own image: the section hslink_records
 * holds pointers to functions of this type. ComponentKit's macros emit them, and its hslink_component()
 * walks them; a component in C needs none. `what` is the requested record version (1). The result is a
 * retained pointer that is meaningful only to the same image, or NULL. */
typedef const void *HSLINK_NULLABLE (*hslink_record_function)(uint32_t what);

extern const hslink_record_function HSLINK_NULLABLE __start_hslink_records[] __attribute__((weak, visibility("hidden")));
extern const hslink_record_function HSLINK_NULLABLE __stop_hslink_records[] __attribute__((weak, visibility("hidden")));

/* The records of the image that this code is compiled into; both are NULL if it has none. */
static inline const hslink_record_function HSLINK_NULLABLE *HSLINK_NULLABLE hslink_records_begin(void) {
    return __start_hslink_records;
}
static inline const hslink_record_function HSLINK_NULLABLE *HSLINK_NULLABLE hslink_records_end(void) {
    return __stop_hslink_records;
}

#endif /* HSLINK_MANIFEST_H */
