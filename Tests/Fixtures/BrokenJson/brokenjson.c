/* BrokenJson: the manifest is not JSON, because it ends in the middle of its classes. */
#include "hslink.h"

HSLINK_MANIFEST("{\"name\": \"BrokenJson\", \"version\": \"1.0.0\", \"classes\": [{\"name\": ")
