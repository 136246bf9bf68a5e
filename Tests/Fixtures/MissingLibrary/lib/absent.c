/* The library that MissingLibrary is linked to, and that the build script then deletes. */
int fixture_absent(void);

__attribute__((visibility("default"))) int fixture_absent(void) { return 1; }
