// SPDX-License-Identifier: Apache-2.0
// Just enough of Metal's names for a compiler without Apple's headers to check the documented Metal
// blocks.
#ifndef TERN_TESTS_API_METAL_METAL_METAL_H_
#define TERN_TESTS_API_METAL_METAL_METAL_H_

@protocol MTLBuffer
@end
@protocol MTLCommandBuffer
@end

#endif  // TERN_TESTS_API_METAL_METAL_METAL_H_
