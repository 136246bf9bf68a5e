/* ForeignEntry: has no hslink_component() of its own; dlsym finds that of lib/libForeignEntryDependency.so. */
#include "hslink.h"

HSLINK_MANIFEST("{\"name\": \"ForeignEntry\", \"version\": \"1.0.0\", \"classes\": [{"
                "\"name\": \"ForeignEntryLink\", \"selectors\": [{\"name\": \"run\", \"kind\": \"class\"}]}]}")

HSLINK_EXPORT int32_t fixture_foreign_entry(void) { return 1; }
