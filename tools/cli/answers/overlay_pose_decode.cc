// SPDX-License-Identifier: Apache-2.0
// Key points to people. A strong peak that no pose owns yet starts a pose; from it every other key
// point is reached along the edges of the body by displacements, each landing corrected by the
// offset stored there.
#include <algorithm>
#include <cmath>

#include "cli/answers/overlay_pose.h"

namespace tern::cli {
namespace {

constexpr float kMinRootScore = 0.5f;
constexpr float kMinPoseScore = 0.2f;
constexpr size_t kMaxPoses = 10;
constexpr float kSamePointRadius = 20;  // input pixels
constexpr int kCorrections = 2;

constexpr size_t kPoints = kPosePoints;
constexpr size_t kEdgeCount = kPoints - 1;
struct Edge {
  size_t parent, child;
};
// In the order of the displacement channels.
constexpr Edge kEdges[kEdgeCount] = {{0, 1},  {1, 3},  {0, 2},   {2, 4},   {0, 5}, {5, 7},
                                     {7, 9},  {5, 11}, {11, 13}, {13, 15}, {0, 6}, {6, 8},
                                     {8, 10}, {6, 12}, {12, 14}, {14, 16}};
constexpr size_t kDirections = 2;  // to the child, to the parent

// An output 1xhxwx`channels` whose name has `part` in it.
const Values* WithChannels(const std::vector<Values>& outputs, size_t channels,
                           const char* part = "") {
  for (const Values& v : outputs) {
    if (v.shape.size() == 4 && v.dim(0) == 1 && v.dim(3) == static_cast<int>(channels) &&
        v.name.find(part) != std::string::npos) {
      return &v;
    }
  }
  return nullptr;
}

bool SameGrid(const Values& heat, const Values& other) {
  const size_t cells = heat.data.size() / kPoints;
  return other.dim(1) == heat.dim(1) && other.dim(2) == heat.dim(2) &&
         other.data.size() == cells * static_cast<size_t>(other.dim(3));
}

bool Near(const KeyPoint& a, const KeyPoint& b) {
  return std::hypot(a.x - b.x, a.y - b.y) <= kSamePointRadius;
}

class Grid {
 public:
  explicit Grid(const PoseMaps& maps)
      : maps_(maps),
        rows_(static_cast<size_t>(maps.heat->dim(1))),
        columns_(static_cast<size_t>(maps.heat->dim(2))),
        step_y_(Step(rows_, maps.height)),
        step_x_(Step(columns_, maps.width)) {}

  size_t cells() const { return rows_ * columns_; }

  float Score(size_t cell, size_t k) const { return 1 / (1 + std::exp(-Logit(cell, k))); }

  // Key point `k` as the cell's offset tells it.
  KeyPoint PointOf(size_t cell, size_t k) const {
    const size_t i = cell * 2 * kPoints + k;
    const size_t row = cell / columns_, column = cell % columns_;
    KeyPoint point;
    point.y = static_cast<float>(row) * step_y_ + maps_.offsets->data[i];
    point.x = static_cast<float>(column) * step_x_ + maps_.offsets->data[i + kPoints];
    point.score = Score(cell, k);
    return point;
  }

  // The key point at the other end of an edge.
  KeyPoint Follow(const KeyPoint& from, size_t edge, size_t direction) const {
    const bool joined = maps_.displacements != nullptr;
    const Values& way = joined           ? *maps_.displacements
                        : direction == 0 ? *maps_.to_limbs
                                         : *maps_.to_nose;
    const size_t row = joined ? CellAt(from) * kDirections + direction : CellAt(from);
    const size_t i = row * 2 * kEdgeCount + edge;
    KeyPoint point = from;
    point.y += way.data[i];
    point.x += way.data[i + kEdgeCount];
    const size_t k = direction == 0 ? kEdges[edge].child : kEdges[edge].parent;
    for (int n = 0; n < kCorrections; ++n) point = PointOf(CellAt(point), k);
    point.score = Score(CellAt(point), k);
    return point;
  }

  // Whether no adjacent cell has a larger value.
  bool IsPeak(size_t cell, size_t k) const {
    const size_t row = cell / columns_;
    const size_t column = cell % columns_;
    for (size_t r = row == 0 ? 0 : row - 1; r <= std::min(row + 1, rows_ - 1); ++r) {
      for (size_t c = column == 0 ? 0 : column - 1; c <= std::min(column + 1, columns_ - 1); ++c) {
        if (Logit(r * columns_ + c, k) > Logit(cell, k)) return false;
      }
    }
    return true;
  }

 private:
  // Pixels from one cell to the next.
  static float Step(size_t cells, int size) {
    return cells > 1 ? static_cast<float>(size - 1) / static_cast<float>(cells - 1) : 0.0f;
  }
  // The comparison also catches NaN and a grid of one cell.
  static size_t Nearest(float position, float step, size_t cells) {
    const float i = std::round(position / step);
    if (!(i > 0)) return 0;
    return i < static_cast<float>(cells) ? static_cast<size_t>(i) : cells - 1;
  }
  size_t CellAt(const KeyPoint& p) const {
    return Nearest(p.y, step_y_, rows_) * columns_ + Nearest(p.x, step_x_, columns_);
  }
  float Logit(size_t cell, size_t k) const { return maps_.heat->data[cell * kPoints + k]; }

  const PoseMaps& maps_;
  size_t rows_, columns_;
  float step_y_, step_x_;
};

Pose PoseOfPeaks(const Grid& grid) {
  Pose pose;
  for (size_t k = 0; k < kPoints; ++k) {
    size_t best = 0;
    for (size_t cell = 1; cell < grid.cells(); ++cell) {
      if (grid.Score(cell, k) > grid.Score(best, k)) best = cell;
    }
    pose.points[k] = grid.PointOf(best, k);
    pose.score += pose.points[k].score / kPoints;
  }
  return pose;
}

struct Root {
  size_t k = 0;
  KeyPoint point;
};

// Best first.
std::vector<Root> FindRoots(const Grid& grid) {
  std::vector<Root> roots;
  for (size_t cell = 0; cell < grid.cells(); ++cell) {
    for (size_t k = 0; k < kPoints; ++k) {
      if (grid.Score(cell, k) < kMinRootScore || !grid.IsPeak(cell, k)) continue;
      roots.push_back({k, grid.PointOf(cell, k)});
    }
  }
  std::stable_sort(roots.begin(), roots.end(),
                   [](const Root& a, const Root& b) { return a.point.score > b.point.score; });
  return roots;
}

bool Claimed(const std::vector<Pose>& poses, size_t k, const KeyPoint& point) {
  return std::any_of(poses.begin(), poses.end(),
                     [&](const Pose& pose) { return Near(pose.points[k], point); });
}

// The body is a tree: from the root there is one way to every key point. Up to the nose first, then
// down; parents stand before children in kEdges.
Pose Walk(const Grid& grid, const Root& root) {
  Pose pose;
  std::array<bool, kPoints> known{};
  pose.points[root.k] = root.point;
  known[root.k] = true;
  for (size_t edge = kEdgeCount; edge-- > 0;) {
    const auto [parent, child] = kEdges[edge];
    if (!known[child] || known[parent]) continue;
    pose.points[parent] = grid.Follow(pose.points[child], edge, 1);
    known[parent] = true;
  }
  for (size_t edge = 0; edge < kEdgeCount; ++edge) {
    const auto [parent, child] = kEdges[edge];
    if (known[child]) continue;
    pose.points[child] = grid.Follow(pose.points[parent], edge, 0);
    known[child] = true;
  }
  return pose;
}

}  // namespace

std::optional<PoseMaps> FindPoseMaps(const std::vector<Values>& outputs, int width, int height) {
  PoseMaps maps;
  maps.heat = WithChannels(outputs, kPoints);
  maps.offsets = WithChannels(outputs, 2 * kPoints);
  maps.displacements = WithChannels(outputs, kDirections * 2 * kEdgeCount);
  maps.width = width;
  maps.height = height;
  if (maps.heat == nullptr || maps.offsets == nullptr || maps.heat->data.empty() ||
      !SameGrid(*maps.heat, *maps.heat) || !SameGrid(*maps.heat, *maps.offsets)) {
    return std::nullopt;
  }
  if (maps.displacements != nullptr && !SameGrid(*maps.heat, *maps.displacements)) {
    maps.displacements = nullptr;
  }
  maps.to_limbs = WithChannels(outputs, 2 * kEdgeCount, "fwd");
  maps.to_nose = WithChannels(outputs, 2 * kEdgeCount, "bwd");
  if (maps.to_limbs == nullptr || maps.to_nose == nullptr ||
      !SameGrid(*maps.heat, *maps.to_limbs) || !SameGrid(*maps.heat, *maps.to_nose)) {
    maps.to_limbs = maps.to_nose = nullptr;
  }
  return maps;
}

std::vector<Pose> DecodePoses(const PoseMaps& maps) {
  const Grid grid(maps);
  if (maps.displacements == nullptr && maps.to_limbs == nullptr) return {PoseOfPeaks(grid)};
  std::vector<Pose> poses;
  for (const Root& root : FindRoots(grid)) {
    if (poses.size() == kMaxPoses) break;
    if (Claimed(poses, root.k, root.point)) continue;
    Pose pose = Walk(grid, root);
    for (size_t k = 0; k < kPoints; ++k) {
      if (!Claimed(poses, k, pose.points[k])) pose.score += pose.points[k].score / kPoints;
    }
    if (pose.score >= kMinPoseScore) poses.push_back(pose);
  }
  return poses;
}

}  // namespace tern::cli
