// SPDX-License-Identifier: Apache-2.0
// SwiftPM builds no target without a source: this one stands for the module of include/.
