// A library that says nothing of plugins.
__attribute__((visibility("default"))) int planted_nothing(void) { return 0; }
