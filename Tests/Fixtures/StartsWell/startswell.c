/* StartsWell: starts with its host, and can. */
#include "starts.h"

HSLINK_MANIFEST("{\"name\": \"StartsWell\", \"version\": \"1.0.0\", \"starts\": \"withHost\", "
                "\"priority\": 0, \"classes\": [{\"name\": \"StartsWellLink\", \"selectors\": ["
                "{\"name\": \"run\", \"kind\": \"class\"}]}]}")

STARTS("StartsWell")
