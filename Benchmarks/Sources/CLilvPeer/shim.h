// lilv's interface, for the peer that runs plugins without a host around them.
#pragma once
#include <lilv/lilv.h>
