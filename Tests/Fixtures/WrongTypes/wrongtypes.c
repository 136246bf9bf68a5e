/* WrongTypes: the manifest is JSON of the wrong types: a number for a name, a map for an array. */
#include "hslink.h"

HSLINK_MANIFEST("{\"name\": 7, \"version\": [\"1.0.0\"], \"classes\": {\"name\": \"WrongTypesLink\"}}")
