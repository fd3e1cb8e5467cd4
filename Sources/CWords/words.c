#include "CWords.h"

// The table is part of the program, so that a completion reads no file and asks nothing of the parser.

static const unsigned char arguments[] = {
#embed "arguments.txt"
};

WordsText words_of_arguments(void) { return (WordsText){arguments, sizeof arguments}; }
