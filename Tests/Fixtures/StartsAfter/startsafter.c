/* StartsAfter: has the highest priority, but requires StartsWell. */
#include "starts.h"

HSLINK_MANIFEST("{\"name\": \"StartsAfter\", \"version\": \"1.0.0\", \"starts\": \"withHost\", "
                "\"priority\": 100, \"requires\": [{\"component\": \"StartsWell\"}], "
                "\"classes\": [{\"name\": \"StartsAfterLink\", \"selectors\": ["
                "{\"name\": \"run\", \"kind\": \"class\"}]}]}")

STARTS("StartsAfter")
