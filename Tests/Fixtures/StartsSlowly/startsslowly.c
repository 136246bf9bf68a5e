/* StartsSlowly: starts with its host, and takes until the file exists that HSLINK_GATE names. */
#include "pause.h"
#include "starts.h"

#include <stdlib.h>
#include <unistd.h>

HSLINK_MANIFEST("{\"name\": \"StartsSlowly\", \"version\": \"1.0.0\", \"starts\": \"withHost\", "
                "\"priority\": 50, \"classes\": [{\"name\": \"StartsSlowlyLink\", \"selectors\": ["
                "{\"name\": \"run\", \"kind\": \"class\"}]}]}")

static void wait_for_gate(void) {
    const char *gate = getenv("HSLINK_GATE");
    while (gate != NULL && access(gate, F_OK) != 0) pause_for(0.01);
}

STARTS_DOING("StartsSlowly", wait_for_gate)
