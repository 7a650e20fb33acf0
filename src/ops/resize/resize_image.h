// SPDX-License-Identifier: Apache-2.0
// The base of both ways of resizing: input [N, H, W, C] and size [2] = (new height, new width)
// -> [N, new height, new width, C].
#ifndef TERN_OPS_RESIZE_RESIZE_IMAGE_H_
#define TERN_OPS_RESIZE_RESIZE_IMAGE_H_

#include "ops/cpu_kit/op_kit.h"

namespace tern {

class ResizeImage : public Op {
 public:
  using Op::Op;
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;

 protected:
  virtual Status CheckOptions(const OpCall& call) const = 0;
  virtual bool Takes(TfLiteType type) const = 0;
  // The output has elements, and both have memory.
  virtual Status Resize(const OpCall& call) = 0;

 private:
  Status SetSize(const OpCall& call) const;
};

}  // namespace tern

#endif  // TERN_OPS_RESIZE_RESIZE_IMAGE_H_
