// SPDX-License-Identifier: Apache-2.0
// GNUstep's headers ask for this file where a compiler has blocks; GCC's runtime comes without it.
#include <Block.h>
