/* Thermometer: a component in C, which the page ComponentsInC quotes. */
#include "hslink.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <threads.h>

/* ---- The manifest: what a host knows before it loads the file */

HSLINK_MANIFEST("{\"name\": \"Thermometer\", \"version\": \"1.0.0\", \"layer\": \"common\", "
                "\"summary\": \"Reads temperatures.\", \"classes\": [{"
                "\"name\": \"ThermometerLink\", \"selectors\": ["
                "{\"name\": \"celsius\", \"kind\": \"class\", \"quick\": true, "
                "\"parameters\": {\"fahrenheit\": \"Double\"}, \"result\": \"Double\"}, "
                "{\"name\": \"openSensor\", \"kind\": \"class\", "
                "\"parameters\": {\"offset\": \"Double = 0\"}, \"result\": \"LinkObject\"}, "
                "{\"name\": \"wait\", \"kind\": \"class\", "
                "\"parameters\": {\"milliseconds\": \"Int\"}, \"result\": \"Double\"}, "
                "{\"name\": \"measureOnce\", \"kind\": \"class\", \"result\": \"Double\"}]}]}")

#define METHOD(name_)                                                                                  \
    static int32_t name_(void *context, hslink_object *self, const hslink_value *payload,              \
                         const hslink_call *call)

/* ---- The component value: one for each host */

typedef struct state {
    atomic_long references;
    const hslink_host *host;
    double base;
} state;

static state *state_retain(state *here) {
    atomic_fetch_add(&here->references, 1);
    return here;
}

static void state_release(state *here) {
    if (atomic_fetch_sub(&here->references, 1) != 1) return;
    here->host->release(here->host);
    free(here);
}

static int32_t create(const hslink_descriptor *self, const hslink_host *host, void **component,
                      const hslink_failure *failure) {
    state *here = calloc(1, sizeof *here);
    (void)self;
    if (here == NULL) return hslink_report(failure, HSLINK_ERROR_FAILED, "no memory");
    atomic_init(&here->references, 1);
    host->retain(host); /* sensors may outlive the component, and still use the host */
    here->host = host;
    here->base = 20.5;
    *component = here;
    return 0;
}

static void destroy(const hslink_descriptor *self, void *component) {
    (void)self;
    state_release(component);
}

/* ---- A class method that answers before it returns */

METHOD(celsius) {
    const hslink_value *given = hslink_map_get(payload, "fahrenheit");
    double fahrenheit;
    (void)context; (void)self;
    if (given != NULL && given->tag == HSLINK_DOUBLE) fahrenheit = given->as.f64;
    else if (given != NULL && given->tag == HSLINK_INT) fahrenheit = (double)given->as.i64;
    else return hslink_fail(call, HSLINK_ERROR_PAYLOAD, "fahrenheit: expected a number");
    return hslink_return(call, hslink_double((fahrenheit - 32) * 5 / 9));
}

/* ---- An object that outlives its call */

typedef struct sensor {
    hslink_object object; /* first: others see only this */
    atomic_long references;
    state *owner; /* keeps the host's table alive */
    double offset;
    atomic_long measurements;
} sensor;

METHOD(sensor_measure) {
    sensor *here = (sensor *)self;
    (void)context; (void)payload;
    atomic_fetch_add(&here->measurements, 1);
    return hslink_return(call, hslink_double(here->owner->base + here->offset));
}

METHOD(sensor_count) {
    (void)context; (void)payload;
    return hslink_return(call, hslink_int(atomic_load(&((sensor *)self)->measurements)));
}

static const struct {
    const char *name;
    hslink_method_function function;
} sensor_methods[] = {{"measure", sensor_measure}, {"count", sensor_count}};

static int32_t sensor_invoke(hslink_object *self, hslink_string selector, const hslink_value *payload,
                             const hslink_call *call) {
    const hslink_host *host = ((sensor *)self)->owner->host;
    size_t index;
    int32_t result;
    for (index = 0; index < sizeof sensor_methods / sizeof sensor_methods[0]; index++) {
        if (!hslink_string_equals(selector, sensor_methods[index].name)) continue;
        if ((result = host->enter(host)) != HSLINK_OK)
            return hslink_fail(call, result == HSLINK_LATE ? HSLINK_ERROR_STOPPED : result, "the sensor cannot be called");
        result = sensor_methods[index].function(NULL, self, payload, call);
        host->leave(host);
        return result;
    }
    return hslink_fail(call, HSLINK_ERROR_SELECTOR_NOT_FOUND, "a sensor has measure and count only");
}

static void sensor_retain(hslink_object *self) { atomic_fetch_add(&((sensor *)self)->references, 1); }

static void sensor_release(hslink_object *self) {
    sensor *here = (sensor *)self;
    if (atomic_fetch_sub(&here->references, 1) != 1) return;
    state_release(here->owner);
    free(here);
}

/* The owner of a sensor: calls to the sensor count against that component. */
static const hslink_host *sensor_host(hslink_object *self) { return ((sensor *)self)->owner->host; }

static const hslink_object_owner sensor_owner = {sizeof sensor_owner, HSLINK_OWNER_ENTERS, sensor_host};

static const void *sensor_extension(const hslink_object_type *self, hslink_string id) {
    (void)self;
    return hslink_string_equals(id, HSLINK_OWNER) ? &sensor_owner : NULL;
}

static const hslink_object_type sensor_type =
    HSLINK_OBJECT_TYPE("Sensor", sensor_retain, sensor_release, sensor_invoke, sensor_extension);

METHOD(open_sensor) {
    const hslink_value *offset = hslink_map_get(payload, "offset");
    sensor *made = calloc(1, sizeof *made);
    (void)context; (void)self;
    if (made == NULL) return hslink_fail(call, HSLINK_ERROR_FAILED, "no memory for a sensor");
    made->object.type = &sensor_type;
    atomic_init(&made->references, 1);
    made->owner = state_retain(call->component);
    made->offset = offset != NULL && offset->tag == HSLINK_DOUBLE ? offset->as.f64 : 0;
    hslink_return(call, hslink_object_value(&made->object));
    sensor_release(&made->object); /* the receiver of the reply has retained it */
    return HSLINK_REPLIED;
}

/* ---- A method that replies later, and can be cancelled */

typedef struct job {
    atomic_long references; /* of the thread, and of the cancel handler */
    atomic_int is_cancelled;
    hslink_reply reply;
    state *owner;
    int64_t milliseconds;
} job;

static void job_release(job *done) {
    if (atomic_fetch_sub(&done->references, 1) != 1) return;
    state_release(done->owner);
    free(done);
}

/* Called exactly once for each on_cancel that returned HSLINK_OK. Must not block. */
static void job_ended(void *context, int32_t cancelled) {
    job *todo = context;
    if (cancelled) atomic_store(&todo->is_cancelled, 1);
    job_release(todo);
}

static void *job_run(void *context) {
    const struct timespec tick = {.tv_nsec = 1000000};
    job *todo = context;
    const hslink_host *host = todo->owner->host;
    for (; todo->milliseconds > 0 && !atomic_load(&todo->is_cancelled); todo->milliseconds--) thrd_sleep(&tick, NULL);
    if (!atomic_load(&todo->is_cancelled)) {
        const hslink_value value = hslink_double(todo->owner->base);
        todo->reply.ops->complete(todo->reply.slot, todo->reply.token, &value, NULL);
    }
    host->end_work(host); /* the job still retains the host's table */
    job_release(todo);
    return NULL;
}

METHOD(wait_for_it) {
    const hslink_value *given = hslink_map_get(payload, "milliseconds");
    state *here = call->component;
    job *todo;
    pthread_t thread;
    (void)context; (void)self;
    if (given == NULL || given->tag != HSLINK_INT)
        return hslink_fail(call, HSLINK_ERROR_PAYLOAD, "milliseconds: expected an integer");
    if (here->host->begin_work(here->host) != HSLINK_OK)
        return hslink_fail(call, HSLINK_ERROR_STOPPED, "Thermometer has been stopped");
    todo = calloc(1, sizeof *todo);
    if (todo == NULL) {
        here->host->end_work(here->host);
        return hslink_fail(call, HSLINK_ERROR_FAILED, "no memory for a job");
    }
    atomic_init(&todo->references, 2);
    todo->reply = call->reply;
    todo->owner = state_retain(here);
    todo->milliseconds = given->as.i64;
    if (call->reply.ops->on_cancel(call->reply.slot, call->reply.token, job_ended, todo) != HSLINK_OK) {
        /* The call has ended already: the handler is not kept, and no reply is expected. */
        job_release(todo);
        job_release(todo);
        here->host->end_work(here->host);
        return HSLINK_LATER;
    }
    if (pthread_create(&thread, NULL, job_run, todo) != 0) {
        job_release(todo);
        here->host->end_work(here->host);
        return hslink_fail(call, HSLINK_ERROR_FAILED, "no thread for a job");
    }
    pthread_detach(thread);
    return HSLINK_LATER;
}

/* ---- A call to another method, whose answer goes to the caller */

METHOD(measure_once) {
    const state *here = call->component;
    const hslink_entry entries[] = {hslink_entry_make("fahrenheit", hslink_double(68.9))};
    const hslink_value arguments = hslink_map(entries, 1);
    hslink_request request;
    (void)context; (void)self; (void)payload;
    memset(&request, 0, sizeof request);
    request.struct_size = sizeof request;
    request.kind = HSLINK_CLASS_METHOD;
    request.class_name = hslink_string_c("ThermometerLink");
    request.selector = hslink_string_c("celsius");
    request.payload = &arguments;
    request.deadline = call->deadline;
    return here->host->call(here->host, &request, call->reply, NULL);
}

/* ---- The tables */

static const hslink_method link_methods[] = {
    {HSLINK_LITERAL("celsius"), HSLINK_CLASS_METHOD, HSLINK_METHOD_QUICK, celsius, NULL},
    {HSLINK_LITERAL("openSensor"), HSLINK_CLASS_METHOD, 0, open_sensor, NULL},
    {HSLINK_LITERAL("wait"), HSLINK_CLASS_METHOD, 0, wait_for_it, NULL},
    {HSLINK_LITERAL("measureOnce"), HSLINK_CLASS_METHOD, 0, measure_once, NULL},
};
static const hslink_class link_class = HSLINK_CLASS("ThermometerLink", link_methods, NULL, NULL);
static const hslink_class *const classes[] = {&link_class};
static const hslink_descriptor descriptor =
    HSLINK_DESCRIPTOR("Thermometer", "1.0.0", classes, create, destroy);
HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return &descriptor; }
