/* Declarations that the files of CGood share. */
#ifndef CGOOD_H
#define CGOOD_H

#include "hslink.h"

#include <stdatomic.h>

/* The component value: one for each host. Objects may outlive it, so it is counted: the component
 * holds one reference, each instance and each job one more. */
typedef struct good_state {
    atomic_long references;
    atomic_long calls;     /* of the selector `state` */
    atomic_long instances; /* alive now */
    const hslink_host *host;
} good_state;

good_state *good_retain(good_state *state);
void good_release(good_state *state);

/* An instance of CGoodLink or of CGoodCounter: it counts its own calls. */
extern const hslink_object_type good_link_type;
extern const hslink_object_type good_counter_type;
/* A new instance with one reference, or NULL without memory. */
hslink_object *good_instance(const hslink_object_type *type, good_state *state);
/* hslink_class.make of both classes; `context` is the type of the instance. */
int32_t good_make(void *context, void *component, hslink_object **instance, const hslink_failure *failure);

/* A copy of a whole tree that owns all its memory and retains its objects. Returns 0, or -1 when
 * there is no memory or the tree is deeper or larger than a reader must accept; `copy` is null then. */
int good_copy(const hslink_value *source, hslink_value *copy);
void good_free(hslink_value *value);

/* Methods, see the table in cgood.c. */
#define GOOD_METHOD(name_)                                                                               \
    int32_t name_(void *context, hslink_object *self, const hslink_value *payload, const hslink_call *call)

GOOD_METHOD(good_echo);
GOOD_METHOD(good_sum);
GOOD_METHOD(good_types);
GOOD_METHOD(good_fail);
GOOD_METHOD(good_describe);
GOOD_METHOD(good_kind);
GOOD_METHOD(good_state_count);
GOOD_METHOD(good_live_instances);
GOOD_METHOD(good_make_counter);
GOOD_METHOD(good_apply);
GOOD_METHOD(good_apply_later);
GOOD_METHOD(good_via_host);
GOOD_METHOD(good_via_bound);
GOOD_METHOD(good_ask);
GOOD_METHOD(good_count);

#endif
