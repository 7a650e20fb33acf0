// swift-tools-version:5.7
// SPDX-License-Identifier: Apache-2.0
// An application that takes the package from a Git repository, as others do. swift/test.sh says where that is.
import PackageDescription

let package = Package(
    name: "App",
    dependencies: [
        .package(url: Context.environment["TERN_REPOSITORY"] ?? "../../..", branch: "main")
    ],
    targets: [
        .executableTarget(
            name: "App", dependencies: [.product(name: "TensorFlowLite", package: "package")])
    ])
