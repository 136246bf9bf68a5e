/* OnlyToolchain: has notes of HSLink, but none that says which component it is. */
#include "hslink.h"

HSLINK_NOTE(toolchain, HSLINK_NOTE_TOOLCHAIN, "{\"abi\": \"1.0\"}")
