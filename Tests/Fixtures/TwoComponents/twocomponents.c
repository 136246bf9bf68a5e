/* TwoComponents: one file with the notes of two components. */
#include "hslink.h"

HSLINK_NOTE(first, HSLINK_NOTE_COMPONENT, "{\"name\": \"TwoComponents\", \"version\": \"1.0.0\", \"classes\": []}")
HSLINK_NOTE(second, HSLINK_NOTE_COMPONENT, "{\"name\": \"TwoComponentsToo\", \"version\": \"1.0.0\", \"classes\": []}")
HSLINK_NOTE(toolchain, HSLINK_NOTE_TOOLCHAIN, "{\"abi\": \"1.0\"}")
