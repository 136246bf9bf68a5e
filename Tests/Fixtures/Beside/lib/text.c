/* The library that Beside needs, in the folder of Beside. */
const char *fixture_beside_text(void);

__attribute__((visibility("default"))) const char *fixture_beside_text(void) { return "from beside"; }
