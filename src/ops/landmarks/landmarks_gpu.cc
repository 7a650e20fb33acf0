// SPDX-License-Identifier: Apache-2.0
// MediaPipe's landmark operations on the GPU: one kernel each.
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "ops/gpu_kit/gpu_op.h"
#include "ops/gpu_kit/shape_checks_gpu.h"
#include "ops/landmarks/landmark_rules.h"

namespace tern::gpu {
namespace {

absl::Status CheckMatrix(const Node& node, const Lowering& lower, const GraphTensor& matrix) {
  if (matrix.box().elements() == 16) return absl::OkStatus();
  return lower.Unsupported(
      node, StrCat("the matrix must have 16 numbers (", matrix.box().elements(), ")"));
}

absl::Status LowerTransformLandmarks(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* landmarks, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* matrix, lower.Input(node, 1));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* output, lower.Output(node, 0));
  const auto t = ReadLandmarkTransform(node.params, static_cast<int64_t>(node.params_size),
                                       ShapeOf(*landmarks));
  if (!t.ok()) return lower.Unsupported(node, Message(t.status()), {Reason::kOptions});
  TERN_RETURN_IF_ERROR(CheckMatrix(node, lower, *matrix));
  TERN_RETURN_IF_ERROR(CheckOutputShape(node, lower, *output, ShapeOf(*landmarks)));
  const Box out = output->box();
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::transform_landmarks);
  dispatch.Read("src", 0).Read("matrix", 1).Write("dst", 0);
  dispatch.Define("DIMENSIONS", static_cast<int>(t->dimensions)).Float("scale", t->scale);
  return dispatch.Grid(out.w, out.h, lower.Slices(out.c)).Emit();
}

absl::Status LowerTransformTensor(const Node& node, Lowering& lower) {
  TERN_ASSIGN_OR_RETURN(const GraphTensor* input, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* matrix, lower.Input(node, 1));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* output, lower.Output(node, 0));
  const auto t = ReadTensorTransform(node.params, static_cast<int64_t>(node.params_size));
  if (!t.ok()) return lower.Unsupported(node, Message(t.status()), {Reason::kOptions});
  const Shape from = ShapeOf(*input);
  if (from.size() != 4 || from[0] != 1) {
    return lower.Unsupported(
        node, StrCat("input must have rank 4 and batch 1 (shape ", ShapeText(from), ")"));
  }
  TERN_RETURN_IF_ERROR(CheckMatrix(node, lower, *matrix));
  TERN_RETURN_IF_ERROR(CheckOutputShape(node, lower, *output, {1, t->height, t->width, from[3]}));
  const Box out = output->box();
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::transform_tensor);
  dispatch.Read("src", 0).Read("matrix", 1).Write("dst", 0);
  dispatch.Define("FROM_EDGES", t->from_edges ? 1 : 0);
  return dispatch.Grid(out.w, out.h, lower.Slices(out.c)).Emit();
}

absl::Status LowerLandmarkMatrix(const Node& node, Lowering& lower) {
  // Integers that halves hold.
  constexpr int64_t kLandmarks = 2048;
  TERN_ASSIGN_OR_RETURN(const GraphTensor* landmarks, lower.Input(node, 0));
  TERN_ASSIGN_OR_RETURN(const GraphTensor* output, lower.Output(node, 0));
  const auto m = ReadLandmarkMatrix(node.params, static_cast<int64_t>(node.params_size));
  if (!m.ok()) return lower.Unsupported(node, Message(m.status()), {Reason::kOptions});
  TERN_RETURN_IF_ERROR(CheckOutputShape(node, lower, *output, {1, 4, 4}));
  if (m->last_point() >= landmarks->box().elements() / 3 || m->last_point() >= kLandmarks) {
    return lower.Unsupported(
        node, StrCat("landmark ", m->last_point(), " of ", landmarks->box().elements() / 3,
                     ", at most ", kLandmarks));
  }
  const int width = lower.slice_width();
  const auto slices = static_cast<int64_t>((m->points.size() + width - 1) / width);
  DispatchBuilder dispatch = lower.Dispatch(node, KernelId::landmark_matrix);
  dispatch.Read("src", 0).Write("dst", 0);
  std::vector<float> points(m->points.begin(), m->points.end());
  points.resize(static_cast<size_t>(slices * width), points[0]);
  dispatch.ConstantValues("points", std::move(points));
  dispatch.Define("HALF_TURN", m->half_turn ? 1 : 0).Int("point_slices", slices);
  dispatch.Int("left_at", 3 * m->left).Int("right_at", 3 * m->right);
  dispatch.Int("first_at", 3 * m->points[0]);
  const struct {
    const char* name;
    double value;
  } factors[] = {{"cos_target", m->cos_target},
                 {"sin_target", m->sin_target},
                 {"x_x", m->x_x},
                 {"x_y", m->x_y},
                 {"y_x", m->y_x},
                 {"y_y", m->y_y},
                 {"place_x", m->move_x},
                 {"place_y", m->move_y},
                 {"from_x", m->from_x},
                 {"from_y", m->from_y}};
  for (const auto& [name, value] : factors) dispatch.Float(name, static_cast<float>(value));
  return dispatch.Grid(4, 1, 1).Emit();
}

}  // namespace

GpuOp TransformLandmarksGpu() {
  return {.lower = LowerTransformLandmarks, .traits = {.types = kFloats, .takes_epilogue = true}};
}

GpuOp TransformTensorGpu() {
  return {.lower = LowerTransformTensor, .traits = {.types = kFloats, .takes_epilogue = true}};
}

GpuOp TransformTensorBilinearGpu() { return TransformTensorGpu(); }

GpuOp Landmarks2TransformMatrixGpu() {
  return {.lower = LowerLandmarkMatrix, .traits = {.types = kFloats}};
}

}  // namespace tern::gpu
