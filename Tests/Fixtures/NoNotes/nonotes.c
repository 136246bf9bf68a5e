/* NoNotes: a plain library, without a manifest. */
int fixture_no_notes(void);

__attribute__((visibility("default"))) int fixture_no_notes(void) { return 1; }
