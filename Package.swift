// swift-tools-version:5.7
// SPDX-License-Identifier: Apache-2.0
// The Swift package TensorFlowLite (docs/swift.md). It lies in the root of the repository, as SwiftPM takes a dependency by
// the root alone, and as no target may see headers outside its package: ours are in include/.
import PackageDescription

// A library with the functions of metal_delegate.h, for the tests on systems without Metal. The tests bring their own, a
// fake that records options, unless this names one.
let metalLibrary = Context.environment["TERN_METAL_LIBRARY"] ?? ""

let package = Package(
    name: "TensorFlowLite",
    platforms: [.iOS(.v12), .macOS(.v10_13), .tvOS(.v12), .watchOS(.v4)],
    products: [.library(name: "TensorFlowLite", targets: ["TensorFlowLite"])],
    targets: [
        // Module maps over include/; the C files beside them are empty, as SwiftPM wants a source in each target.
        .target(
            name: "TensorFlowLiteC",
            path: "swift/Sources/TensorFlowLiteC",
            linkerSettings: [.linkedLibrary("tensorflowlite_c")]),
        .target(
            name: "TensorFlowLiteCMetal",
            dependencies: ["TensorFlowLiteC"],
            path: "swift/Sources/TensorFlowLiteCMetal",
            linkerSettings: [
                .linkedFramework("Metal", .when(platforms: [.iOS, .macOS, .tvOS]))
            ]),
        // Parts that Swift cannot do itself: texts from a va_list, and functions that a program may lack.
        .target(
            name: "TensorFlowLiteCSupport",
            dependencies: ["TensorFlowLiteC", "TensorFlowLiteCMetal"],
            path: "swift/Sources/TensorFlowLiteCSupport"),
        .target(
            name: "TensorFlowLite",
            dependencies: ["TensorFlowLiteC", "TensorFlowLiteCMetal", "TensorFlowLiteCSupport"],
            path: "swift/Sources/TensorFlowLite"),
        .target(
            name: "TernFakeMetal",
            dependencies: ["TensorFlowLiteC", "TensorFlowLiteCMetal", "TensorFlowLiteCSupport"],
            path: "swift/Tests/TernFakeMetal",
            cSettings: metalLibrary.isEmpty ? [] : [.define("TERN_METAL_IS_LINKED")],
            linkerSettings: metalLibrary.isEmpty
                ? [] : [.unsafeFlags(["-Xlinker", "--no-as-needed", metalLibrary])]),
        .testTarget(
            name: "TensorFlowLiteTests",
            dependencies: ["TensorFlowLite", "TernFakeMetal"],
            path: "swift/Tests/TensorFlowLiteTests"),
    ])
