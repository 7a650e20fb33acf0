// SPDX-License-Identifier: Apache-2.0
// Winograd's F(4x4, 3x3): 4 by 4 results of a filter of 3 by 3 by 36 multiplications in place of
// 144 (Lavin and Gray, "Fast Algorithms for Convolutional Neural Networks", 2015). For an input d
// of 6 by 6 numbers and a filter g they are
//
//   A^T [(G g G^T) * (B^T d B)] A
//
// where * multiplies number by number. The matrices come from polynomials at the points 0, p, -p,
// q, -q and infinity. These points, 1/sqrt(2) and sqrt(2), make errors half as large as 1 and 2 do.
#ifndef TERN_BASE_TENSOR_WINOGRAD_H_
#define TERN_BASE_TENSOR_WINOGRAD_H_

namespace tern::winograd {

inline constexpr int kTile = 4;    // results along an axis of a tile
inline constexpr int kFilter = 3;  // taps along an axis
inline constexpr int kPoints = 6;  // numbers of the input along an axis of a tile
inline constexpr int kMatrices = kPoints * kPoints;

inline constexpr double kP = 0.70710678118654752440, kQ = 2 * kP;

// G.
inline constexpr double kFilterRows[kPoints][kFilter] = {
    {1, 0, 0},
    {-2.0 / 3, -2.0 / 3 * kP, -1.0 / 3},
    {-2.0 / 3, 2.0 / 3 * kP, -1.0 / 3},
    {1.0 / 6, 1.0 / 6 * kQ, 1.0 / 3},
    {1.0 / 6, -1.0 / 6 * kQ, 1.0 / 3},
    {0, 0, 1},
};

// B^T.
inline constexpr double kInputRows[kPoints][kPoints] = {
    {1, 0, -2.5, 0, 1, 0},    {0, -kQ, -2, kP, 1, 0},   {0, kQ, -2, -kP, 1, 0},
    {0, -kP, -0.5, kQ, 1, 0}, {0, kP, -0.5, -kQ, 1, 0}, {0, 1, 0, -2.5, 0, 1},
};

// A^T.
inline constexpr double kOutputRows[kTile][kPoints] = {
    {1, 1, 1, 1, 1, 0},
    {0, kP, -kP, kQ, -kQ, 0},
    {0, 0.5, 0.5, 2, 2, 0},
    {0, 0.5 * kP, -0.5 * kP, 2 * kQ, -2 * kQ, 1},
};

}  // namespace tern::winograd

#endif  // TERN_BASE_TENSOR_WINOGRAD_H_
