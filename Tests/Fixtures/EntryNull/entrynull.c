/* EntryNull: hslink_component() returns NULL. */
#include "hslink.h"

HSLINK_MANIFEST("{\"name\": \"EntryNull\", \"version\": \"1.0.0\", \"classes\": ["
                "{\"name\": \"EntryNullLink\", \"selectors\": ["
                "{\"name\": \"run\", \"kind\": \"class\"}]}]}")

HSLINK_EXPORT const hslink_descriptor *hslink_component(void) { return NULL; }
