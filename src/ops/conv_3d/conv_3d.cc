// SPDX-License-Identifier: Apache-2.0
// CONV_3D: input [N, D, H, W, Ci], filter [kd, kh, kw, Ci, Co], bias [Co] (may be absent)
// -> [N, OD, OH, OW, Co].
#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "cpu/instruction_set.h"
#include "ops/conv_3d/volume_operands.h"
#include "ops/cpu_kit/conv_operands.h"
#include "ops/cpu_kit/op_kit.h"
#include "ops/cpu_registry.h"

namespace tern {
namespace {

class Conv3d : public Op {
 public:
  using Op::Op;
  const char* name() const override { return "CONV_3D"; }
  Status Prepare(const OpCall& call) override;
  Status Eval(const OpCall& call) override;
  void Pack(const OpCall& call) override;

 private:
  // The filter of an image whose channels are the taps in depth: [Co, kh, kw, kd, Ci].
  std::shared_ptr<const FloatMatrix> MakeImageFilter(const float* filter, const float* bias,
                                                     ThreadPool* pool) const;
  // Null when there is no optimized kernel, or no memory for it.
  const FloatMatrix* ImageFilter(const OpCall& call, ThreadPool* pool);
  bool EvalOptimized(const OpCall& call, ThreadPool* pool);
  void GatherDepth(const float* item, int64_t z, ThreadPool* pool);
  void EvalReference(const OpCall& call, ThreadPool* pool) const;

  Volume volume_;
  int64_t batch_ = 0, channels_ = 0, filters_ = 0;
  FloatRange range_{};
  std::vector<float> image_;  // of one output depth
  Packed<FloatMatrix> filter_;
};

Status Conv3d::Prepare(const OpCall& call) {
  TERN_RETURN_IF_ERROR(call.CheckOperands(2, 3, 1));
  TERN_RETURN_IF_ERROR(call.CheckParams());
  const TfLiteTensor* input = call.input(0);
  const TfLiteTensor* filter = call.input(1);
  TERN_RETURN_IF_ERROR(CheckVolumes(input, filter, call.input(2), call.output(0)));
  batch_ = Dim(input, 0);
  channels_ = Dim(input, 4);
  filters_ = Dim(filter, 4);
  if (Dim(filter, 3) != channels_) {
    return Invalid("input->dims->data[4] != filter->dims->data[3] (", channels_,
                   " != ", Dim(filter, 3), "): filter channels must be those of the input");
  }
  TERN_RETURN_IF_ERROR(CheckVolumeBias(call.input(2), filter, 4));
  const auto& params = call.params<TfLiteConv3DParams>();
  range_ = ActivationRange(params.activation);
  TERN_ASSIGN_OR_RETURN(volume_, MakeVolume(params, ShapeOf(input), ShapeOf(filter)));
  if (volume_.depth.out < 0 || volume_.height.out < 0 || volume_.width.out < 0) {
    return Invalid("filter is larger than the input (", ShapeText(ShapeOf(filter)), ", ",
                   ShapeText(ShapeOf(input)), ")");
  }
  filter_.Forget();
  return call.SetShape(
      call.output(0), {batch_, volume_.depth.out, volume_.height.out, volume_.width.out, filters_});
}

Status Conv3d::Eval(const OpCall& call) {
  if (Elements(call.output(0)) == 0) return OkStatus();
  TERN_RETURN_IF_ERROR(CheckData(call.input(0), "input"));
  TERN_RETURN_IF_ERROR(CheckData(call.input(1), "filter"));
  if (call.input(2) != nullptr) TERN_RETURN_IF_ERROR(CheckData(call.input(2), "bias"));
  TERN_RETURN_IF_ERROR(CheckData(call.output(0), "output"));
  ThreadPool* pool = Pool(call);
  if (!fast() || !EvalOptimized(call, pool)) EvalReference(call, pool);
  return OkStatus();
}

// Padding is zero here; a plain sum skips it.
void Conv3d::GatherDepth(const float* item, int64_t z, ThreadPool* pool) {
  const WindowAxis& depth = volume_.depth;
  const int64_t pixels = volume_.height.in * volume_.width.in;
  const WindowAxis::Taps taps = depth.TapsAt(z);
  ParallelFor(pool, pixels, depth.filter * channels_, [&](int64_t begin, int64_t end) {
    for (int64_t k = 0; k < depth.filter; ++k) {
      const bool inside = k >= taps.begin && k < taps.end;
      const int64_t plane = taps.position + (k - taps.begin) * depth.dilation;
      for (int64_t pixel = begin; pixel < end; ++pixel) {
        float* to = image_.data() + (pixel * depth.filter + k) * channels_;
        if (inside) {
          std::copy_n(item + (plane * pixels + pixel) * channels_, channels_, to);
        } else {
          std::fill_n(to, channels_, 0.0f);
        }
      }
    }
  });
}

std::shared_ptr<const FloatMatrix> Conv3d::MakeImageFilter(const float* filter, const float* bias,
                                                           ThreadPool* pool) const {
  const int64_t taps = volume_.height.filter * volume_.width.filter;
  const int64_t deep = volume_.depth.filter * channels_;
  std::vector<float> columns(static_cast<size_t>(filters_ * taps * deep));
  for (int64_t k = 0; k < volume_.depth.filter; ++k) {
    for (int64_t tap = 0; tap < taps; ++tap) {
      for (int64_t c = 0; c < channels_; ++c) {
        for (int64_t f = 0; f < filters_; ++f, ++filter) {
          if (!std::isfinite(*filter)) return nullptr;  // times a zero of padding
          columns[(f * taps + tap) * deep + k * channels_ + c] = *filter;
        }
      }
    }
  }
  return FloatMatrix::Pack({columns.data(), bias, 1, filters_, taps * deep, false}, pool);
}

const FloatMatrix* Conv3d::ImageFilter(const OpCall& call, ThreadPool* pool) {
  if (!HasOptimizedKernels()) return nullptr;
  const TfLiteTensor *filter = call.input(1), *bias = call.input(2);
  const FloatWeights weights = FloatWeightsOf(filter, bias);
  const WeightBytes bytes[] = {{weights.filter, filter->bytes},
                               {weights.bias, bias == nullptr ? 0 : bias->bytes}};
  // No other layout has as many.
  const int64_t parameters[] = {filters_, channels_, volume_.depth.filter, volume_.height.filter,
                                volume_.width.filter};
  return filter_.Get(weights.constant, bytes, parameters,
                     [&] { return MakeImageFilter(weights.filter, weights.bias, pool); });
}

void Conv3d::Pack(const OpCall& call) {
  if (fast() && CanPack(call.input(1), call.input(2))) ImageFilter(call, Pool(call));
}

bool Conv3d::EvalOptimized(const OpCall& call, ThreadPool* pool) {
  const WindowAxis &depth = volume_.depth, &height = volume_.height, &width = volume_.width;
  const int64_t plane = height.in * width.in, deep = depth.filter * channels_;
  const FloatMatrix* filter = plane * deep > INT32_MAX ? nullptr : ImageFilter(call, pool);
  if (filter == nullptr) return false;
  image_.resize(static_cast<size_t>(plane * deep));
  const LeftView image = {{1, 1, deep, filters_, height, width}, image_.data()};
  const int64_t results = height.out * width.out * filters_;
  float* output = MutableData<float>(call.output(0));
  for (int64_t n = 0; n < batch_; ++n) {
    const float* item = Data<float>(call.input(0)) + n * depth.in * plane * channels_;
    for (int64_t z = 0; z < depth.out; ++z, output += results) {
      GatherDepth(item, z, pool);
      const OutputStage stage = OutputStage::Clamp(range_, output, filters_);
      if (!MatMul{image, *filter, stage}.Run(pool)) return false;
    }
  }
  return true;
}

void Conv3d::EvalReference(const OpCall& call, ThreadPool* pool) const {
  const float* input = Data<float>(call.input(0));
  const float* filter = Data<float>(call.input(1));
  const float* bias = call.input(2) == nullptr ? nullptr : Data<float>(call.input(2));
  float* output = MutableData<float>(call.output(0));
  const WindowAxis &depth = volume_.depth, &height = volume_.height, &width = volume_.width;

  auto rows = [&](int64_t begin, int64_t end) {
    std::vector<double> sums(static_cast<size_t>(filters_));
    const auto add = [&](const float* in, const float* w) {
      for (int64_t c = 0; c < channels_; ++c, w += filters_) {
        for (int64_t f = 0; f < filters_; ++f) sums[f] += double{in[c]} * double{w[f]};
      }
    };
    for (int64_t row = begin; row < end; ++row) {
      const WindowAxis::Taps ys = height.TapsAt(row % height.out);
      const WindowAxis::Taps zs = depth.TapsAt(row / height.out % depth.out);
      const float* item =
          input + row / height.out / depth.out * depth.in * height.in * width.in * channels_;
      for (int64_t x = 0; x < width.out; ++x) {
        const WindowAxis::Taps xs = width.TapsAt(x);
        for (int64_t f = 0; f < filters_; ++f) sums[f] = bias == nullptr ? 0.0 : double{bias[f]};
        for (int64_t k = zs.begin, z_in = zs.position; k < zs.end; ++k, z_in += depth.dilation) {
          for (int64_t i = ys.begin, y_in = ys.position; i < ys.end; ++i, y_in += height.dilation) {
            for (int64_t j = xs.begin, x_in = xs.position; j < xs.end;
                 ++j, x_in += width.dilation) {
              const int64_t tap = (k * height.filter + i) * width.filter + j;
              add(item + ((z_in * height.in + y_in) * width.in + x_in) * channels_,
                  filter + tap * channels_ * filters_);
            }
          }
        }
        float* out = output + (row * width.out + x) * filters_;
        for (int64_t f = 0; f < filters_; ++f) out[f] = range_.Clamp(static_cast<float>(sums[f]));
      }
    }
  };
  const int64_t taps = depth.filter * height.filter * channels_;
  ParallelFor(pool, batch_ * depth.out * height.out, width.out * filters_ * taps, rows);
}

}  // namespace

TfLiteRegistration Conv3dRegistration(OpForm form) { return MakeRegistration<Conv3d>(form); }

}  // namespace tern
