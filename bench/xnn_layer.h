// SPDX-License-Identifier: Apache-2.0
// One convolution run by XNNPACK, without anything of ours around it.
#ifndef TERN_BENCH_XNN_LAYER_H_
#define TERN_BENCH_XNN_LAYER_H_

#include <memory>
#include <vector>

namespace tern::bench {

struct Layer {
  const char* name;
  bool depthwise;
  int size;     // of the square input
  int in, out;  // channels; equal when depthwise
  int filter, stride;

  int out_size() const { return (size + stride - 1) / stride; }
  double flops() const {
    const double taps = 1.0 * filter * filter * (depthwise ? 1 : in);
    return 2.0 * out_size() * out_size() * out * taps;
  }
};

class XnnLayer {
 public:
  // weights: one output channel after the other, [filter][filter][in]; depthwise
  // [filter][filter][in]. Null when XNNPACK does not run here.
  static std::unique_ptr<XnnLayer> Create(const Layer& layer, const std::vector<float>& weights,
                                          const std::vector<float>& bias, int threads);
  ~XnnLayer();

  // Row-major, size x size x in.
  void SetInput(const std::vector<float>& input);
  void Run(int times);
  // Sends the pool's threads to sleep; after a run they keep a core busy for milliseconds.
  void Rest();
  const std::vector<float>& output() const { return output_; }

 private:
  XnnLayer() = default;

  void* op_ = nullptr;
  void* pool_ = nullptr;
  int threads_ = 1;
  std::vector<float> input_, output_;
};

}  // namespace tern::bench

#endif  // TERN_BENCH_XNN_LAYER_H_
