/* OnlyToolchain: has HSLink notes, but none that names a component. */
#include "hslink.h"

HSLINK_NOTE(toolchain, HSLINK_NOTE_TOOLCHAIN, "{\"abi\": \"1.0\"}")
