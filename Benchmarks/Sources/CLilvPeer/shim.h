// Interface of lilv, for the peer that runs plugins without a host.
#pragma once
#include <lilv/lilv.h>
