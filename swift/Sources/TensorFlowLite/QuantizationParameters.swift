// SPDX-License-Identifier: Apache-2.0
// The numbers that quantized elements stand for.

/// A stored integer stands for `scale * (integer - zeroPoint)`.
public struct QuantizationParameters: Equatable, Hashable {
    public let scale: Float
    public let zeroPoint: Int

    init(scale: Float, zeroPoint: Int) {
        self.scale = scale
        self.zeroPoint = zeroPoint
    }
}
