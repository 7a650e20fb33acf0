// SPDX-License-Identifier: Apache-2.0
// One convolution run by the kernels of the CPU engine, without an interpreter around it.
#ifndef TERN_BENCH_CPU_LAYER_H_
#define TERN_BENCH_CPU_LAYER_H_

#include <memory>
#include <vector>

#include "cpu/matmul.h"

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

class CpuLayer {
 public:
  // weights: one output channel after the other, [filter][filter][in]; depthwise
  // [filter][filter][in]. Null where the CPU engine has no optimized kernels.
  static std::unique_ptr<CpuLayer> Create(const Layer& layer, const std::vector<float>& weights,
                                          const std::vector<float>& bias, int threads);

  // Row-major, size x size x in.
  void SetInput(const std::vector<float>& input) { input_ = input; }
  void Run(int times);
  const std::vector<float>& output() const { return output_; }

 private:
  CpuLayer(const Layer& layer, int threads) : depthwise_(layer.depthwise), pool_(threads) {}

  bool depthwise_;
  ThreadPool pool_;
  ConvShape shape_;
  FloatProduct product_;
  std::vector<float> weights_, bias_, input_, output_;
};

}  // namespace tern::bench

#endif  // TERN_BENCH_CPU_LAYER_H_
