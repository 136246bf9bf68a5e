/* NeedsConfigured: requires Configured. */
#include "starts.h"

HSLINK_MANIFEST("{\"name\": \"NeedsConfigured\", \"version\": \"1.0.0\", "
                "\"requires\": [{\"component\": \"Configured\"}], "
                "\"classes\": [{\"name\": \"NeedsConfiguredLink\", \"selectors\": ["
                "{\"name\": \"run\", \"kind\": \"class\"}]}]}")

STARTS("NeedsConfigured")
