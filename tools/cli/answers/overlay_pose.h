// SPDX-License-Identifier: Apache-2.0
// Key points of people out of the maps of a pose network: one person by the peaks alone, or several
// by walking the body from joint to joint.
#ifndef TERN_TOOLS_CLI_ANSWERS_OVERLAY_POSE_H_
#define TERN_TOOLS_CLI_ANSWERS_OVERLAY_POSE_H_

#include <array>
#include <optional>
#include <vector>

#include "cli/answers/answers.h"

namespace tern::cli {

// Nose, then left and right: eye, ear, shoulder, elbow, wrist, hip, knee, ankle.
inline constexpr int kPosePoints = 17;

struct KeyPoint {
  float x = 0, y = 0;  // pixels of the model's input
  float score = 0;     // 0..1
};

struct Pose {
  float score = 0;  // mean over the key points; those that an earlier pose has as well count as 0
  std::array<KeyPoint, kPosePoints> points;
};

// The outputs of a pose network over a grid of cells; the centres of the outer cells are the corner
// pixels of the input. Offsets are input pixels, vertical ones before horizontal ones.
struct PoseMaps {
  const Values* heat = nullptr;     // 1xhxwx17: logits
  const Values* offsets = nullptr;  // 1xhxwx34: from a cell's centre to the key point near it
  // 1xhxwx64: along the 16 edges of the body towards the limbs, then back to the nose; else null.
  const Values* displacements = nullptr;
  // 1xhxwx32 for each of the two ways, known by their names; else null.
  const Values* to_limbs = nullptr;
  const Values* to_nose = nullptr;
  int width = 0, height = 0;  // of the input
};

// The maps among outputs in any order; nothing when heat maps or offsets are missing or sizes
// disagree. They point into `outputs`.
std::optional<PoseMaps> FindPoseMaps(const std::vector<Values>& outputs, int width, int height);

// With displacements: the poses with a score of 0.2 or more, at most ten, found from the strongest
// key point on. Without: exactly one pose, every key point at the peak of its map.
std::vector<Pose> DecodePoses(const PoseMaps& maps);

}  // namespace tern::cli

#endif  // TERN_TOOLS_CLI_ANSWERS_OVERLAY_POSE_H_
