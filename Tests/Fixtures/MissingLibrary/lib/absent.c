/* The library that MissingLibrary is linked to, and that the build script takes away again. */
int fixture_absent(void);

__attribute__((visibility("default"))) int fixture_absent(void) { return 1; }
