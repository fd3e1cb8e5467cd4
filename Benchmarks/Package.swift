// swift-tools-version: 6.3
import Foundation
import PackageDescription

// The modules measured are the product's own and `package` to it. A package is known to the compiler by its folder's name,
// so the driver takes that name (and not its own: `packageAccess: false`) and sees what they see. Only this package links the GPL peers.
let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
let identity = String(root.lastPathComponent.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "_" })
let insider: [SwiftSetting] = [
    .swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"), .treatAllWarnings(as: .error),
    .unsafeFlags(["-package-name", identity]),
]
let peers: [String] = ["-O3", "-march=native", "-ffast-math", "-Wall", "-Wextra", "-Werror"]

let package = Package(
    name: "benchmarks",
    dependencies: [.package(name: "proscenium", path: "..")],
    targets: [
        .target(name: "CAllocations", cSettings: [.unsafeFlags(["-O3", "-Wall", "-Wextra", "-Werror"])]),
        .target(
            name: "CPluginPeer", dependencies: ["CLilvPeer"],
            cSettings: [.unsafeFlags(["-O3", "-Wall", "-Wextra", "-Werror"])]),
        .systemLibrary(name: "CLilvPeer", pkgConfig: "lilv-0", providers: [.apt(["liblilv-dev"])]),
        .target(
            name: "CPeers", cSettings: [.unsafeFlags(peers)], cxxSettings: [.unsafeFlags(peers)],
            linkerSettings: [.linkedLibrary("zita-convolver"), .linkedLibrary("fftw3f"), .linkedLibrary("mysofa")]),
        // One peer, VQF, is compiled by Scripts/bench and opened at run time.
        .executableTarget(
            name: "bench",
            dependencies: [
                "CAllocations", "CPeers", "CPluginPeer", .product(name: "ProsceniumStage", package: "proscenium"),
                .product(name: "ProsceniumFusion", package: "proscenium"),
                .product(name: "ProsceniumPlugins", package: "proscenium"),
            ],
            packageAccess: false, swiftSettings: insider),
    ],
    cxxLanguageStandard: .cxx17
)
