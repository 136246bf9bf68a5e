/* StartsFirst: starts with its host, before those of lower priority. */
#include "starts.h"

HSLINK_MANIFEST("{\"name\": \"StartsFirst\", \"version\": \"1.0.0\", \"starts\": \"withHost\", "
                "\"priority\": 5, "
                "\"classes\": [{\"name\": \"StartsFirstLink\", \"selectors\": ["
                "{\"name\": \"run\", \"kind\": \"class\"}]}]}")

STARTS("StartsFirst")
