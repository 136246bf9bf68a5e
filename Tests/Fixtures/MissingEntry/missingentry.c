/* MissingEntry: has a manifest, but no hslink_component(). */
#include "hslink.h"

HSLINK_MANIFEST("{\"name\": \"MissingEntry\", \"version\": \"1.0.0\", \"classes\": [{"
                "\"name\": \"MissingEntryLink\", \"selectors\": [{\"name\": \"run\", \"kind\": \"class\"}]}]}")

HSLINK_EXPORT int32_t hslink_components(void) { return 1; }
