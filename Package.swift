// swift-tools-version: 6.3
import PackageDescription

/// Settings of every Swift target: language mode 6, explicit existentials, and warnings as errors.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]
/// Settings of numeric targets, which are optimised in debug builds too. Their tests render and measure minutes of
/// sound, so this saves more time than the compilation takes. With optimisation `assert` checks nothing; accesses to
/// raw memory therefore have checks of their own, see `MemoryChecks`.
let numeric: [SwiftSetting] =
    strict + [
        .unsafeFlags(["-O"], .when(configuration: .debug)), .define("CHECKED_MEMORY", .when(configuration: .debug)),
    ]
/// Settings of the commands, which are not optimised in release builds either: with optimisation, the code of the
/// argument parser for the options takes three times as long to compile, and a command starts only 1 to 2 ms sooner.
let commands: [SwiftSetting] = strict + [.unsafeFlags(["-Onone"], .when(configuration: .release))]
/// Settings of C targets: always optimised, warnings as errors.
let c: [CSetting] = [.unsafeFlags(["-O3", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off"])]

/// Targets of the product. A target may import only those above it in `Documentation/architecture.md`.
let house: [Target] = [
    .target(name: "CKernels", cSettings: c),
    .target(name: "CRealtime", cSettings: c),
    .target(name: "CDevices", cSettings: c),
    .target(name: "CPanel", exclude: ["site"], cSettings: c + [.unsafeFlags(["-std=c23"])]),
    .target(name: "CWords", exclude: ["arguments.txt"], cSettings: c + [.unsafeFlags(["-std=c23"])]),
    .systemLibrary(name: "CJACK", pkgConfig: "jack", providers: [.apt(["libjack-jackd2-dev"])]),
    .systemLibrary(name: "CHDF5", pkgConfig: "hdf5", providers: [.apt(["libhdf5-dev"])]),
    .target(name: "CHDF5Driver", dependencies: ["CHDF5"], cSettings: c),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CSndFile", pkgConfig: "sndfile", providers: [.apt(["libsndfile1-dev"])]),
    .systemLibrary(name: "CSoxr", pkgConfig: "soxr", providers: [.apt(["libsoxr-dev"])]),
    .systemLibrary(name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
    .systemLibrary(name: "CLilv", pkgConfig: "lilv-0", providers: [.apt(["liblilv-dev"])]),
    .target(name: "CPlugins", dependencies: ["CLilv"], cSettings: c),
    .target(name: "CProcesses", cSettings: c),
    // Uses only the header of libsystemd, which is opened at run time.
    .target(name: "CBus", cSettings: c),
    .target(name: "Gate", dependencies: ["CProcesses"], swiftSettings: numeric),
    .target(name: "Processes", dependencies: ["Gate", "Signal", "CProcesses"], swiftSettings: strict),
    .target(name: "OSC", swiftSettings: strict),
    .target(name: "Takes", dependencies: ["Gate"], swiftSettings: strict),
    .target(name: "ADM", dependencies: ["CExpat"], swiftSettings: strict),
    .target(name: "Signal", dependencies: ["CKernels", "CRealtime"], swiftSettings: numeric),
    .target(name: "Inserts", dependencies: ["Signal", "CRealtime"], swiftSettings: numeric),
    .target(
        name: "PluginHost",
        dependencies: ["Gate", "Takes", "Inserts", "Processes", "Signal", "CLilv", "CPlugins", "CRealtime"],
        swiftSettings: numeric),
    .target(name: "Geometry", dependencies: ["Signal", "CRealtime"], swiftSettings: numeric),
    .target(name: "Convolution", dependencies: ["Signal", "CKernels", "CRealtime", "CSoxr"], swiftSettings: numeric),
    .target(
        name: "SOFA", dependencies: ["Gate", "Takes", "Geometry", "Signal", "CHDF5", "CHDF5Driver", "CZlib"],
        swiftSettings: numeric),
    .target(
        name: "HRTF", dependencies: ["Gate", "SOFA", "Convolution", "Geometry", "Signal", "CKernels", "CRealtime"],
        swiftSettings: numeric),
    .target(
        name: "Rooms", dependencies: ["Gate", "HRTF", "SOFA", "Convolution", "Geometry", "Signal"],
        swiftSettings: numeric),
    .target(
        name: "IMU", dependencies: ["Gate", "Signal", "Geometry", "CRealtime", "CDevices", "OSC"],
        swiftSettings: numeric),
    .target(name: "HeadTracking", dependencies: ["Gate", "Geometry", "IMU"], swiftSettings: numeric),
    .target(name: "Metering", dependencies: ["Signal", "CKernels"], swiftSettings: numeric),
    .target(
        name: "Headphones", dependencies: ["Metering", "HRTF", "SOFA", "Signal"], swiftSettings: numeric),
    .target(name: "Sweeps", dependencies: ["HRTF", "Convolution", "Geometry", "Signal"], swiftSettings: numeric),
    .target(
        name: "AudioMix", dependencies: ["Metering", "Convolution", "Signal", "Geometry", "CRealtime"],
        swiftSettings: numeric),
    .target(
        name: "Soundstage",
        dependencies: [
            "Gate",
            "AudioMix", "Inserts", "Metering", "Convolution", "Signal", "Geometry", "CKernels", "CRealtime",
        ],
        swiftSettings: numeric),
    .target(
        name: "RenditionMatching", dependencies: ["Soundstage", "Metering", "HRTF", "Geometry", "Signal"],
        swiftSettings: numeric),
    .target(
        name: "Rendering",
        dependencies: [
            "AudioMix", "Soundstage", "Headphones", "Inserts", "Rooms", "HRTF", "Convolution", "Signal", "Geometry",
            "CRealtime",
        ],
        swiftSettings: numeric),
    .target(
        name: "AudioIO",
        dependencies: ["Gate", "Takes", "Rendering", "Convolution", "Signal", "CRealtime", "CJACK", "CSndFile"],
        swiftSettings: numeric),
    .target(
        name: "Capture",
        dependencies: ["Gate", "AudioIO", "Takes", "Soundstage", "HRTF", "IMU", "Geometry", "Signal", "CRealtime"],
        swiftSettings: numeric),
    .target(
        name: "Measurement",
        dependencies: [
            "Gate", "AudioIO", "Takes", "Rendering", "Headphones", "Rooms", "HRTF", "SOFA", "Soundstage", "Sweeps",
            "Geometry", "Signal", "CRealtime",
        ],
        swiftSettings: numeric),
    .target(
        name: "MotionLogs",
        dependencies: [
            "Gate", "AudioMix", "Takes", "Rendering", "Soundstage", "HeadTracking", "IMU", "Geometry", "Signal",
        ],
        swiftSettings: numeric),
    .target(name: "Listening", dependencies: ["Gate", "Takes"], swiftSettings: numeric),
    .target(
        name: "Loading",
        dependencies: [
            "Gate", "Takes", "Processes", "MotionLogs", "AudioIO", "Rendering", "Rooms", "HRTF", "SOFA", "IMU",
            "Soundstage", "Signal", "Headphones", "Geometry",
        ], swiftSettings: strict),
    .target(
        name: "Racks",
        dependencies: [
            "Gate", "Takes", "Loading", "PluginHost", "MotionLogs", "Inserts", "AudioIO", "Rendering", "Soundstage",
            "Signal",
        ], swiftSettings: strict),
    .target(
        name: "Stages",
        dependencies: [
            "Gate", "Loading", "Racks", "RenditionMatching", "AudioIO", "AudioMix", "Rendering", "Headphones", "Rooms",
            "HRTF", "HeadTracking", "Soundstage", "Signal", "Geometry",
        ], swiftSettings: strict),
    .target(
        name: "Offline",
        dependencies: [
            "Gate", "Loading", "Racks", "Stages", "MotionLogs", "Metering", "Capture", "AudioIO", "Takes", "ADM",
            "AudioMix", "Rendering", "Soundstage", "Signal",
        ], swiftSettings: strict),
    .target(
        name: "Desk",
        dependencies: [
            "Gate", "Loading", "Racks", "Stages", "PluginHost", "Metering", "Capture", "AudioIO", "Takes",
            "HeadTracking",
            "IMU", "Soundstage", "Signal", "Geometry",
        ], swiftSettings: strict),
    .target(
        name: "Trackers",
        dependencies: [
            "Loading", "Stages", "Desk", "MotionLogs", "AudioIO", "HeadTracking", "IMU", "Signal", "Geometry",
        ], swiftSettings: strict),
    .target(
        name: "SavedSessions",
        dependencies: [
            "Gate", "Loading", "Racks", "Stages", "Desk", "AudioIO", "Rooms", "HRTF", "IMU", "Signal",
        ], swiftSettings: strict),
    .target(
        name: "Session",
        dependencies: [
            "Gate", "Loading", "Racks", "Stages", "Desk", "Trackers", "SavedSessions", "MotionLogs", "AudioIO", "Takes",
            "Rendering", "HeadTracking", "Soundstage", "Signal",
        ], swiftSettings: strict),
    .target(
        name: "Preview",
        dependencies: [
            "Loading", "Stages", "Offline", "Desk", "Trackers", "Session", "AudioIO", "Takes", "AudioMix", "Rendering",
            "Soundstage", "Signal",
        ], swiftSettings: strict),
    .target(
        name: "Probes",
        dependencies: [
            "Loading", "Stages", "Desk", "Trackers", "Session", "Measurement", "MotionLogs", "AudioIO", "Rendering",
            "HRTF", "HeadTracking", "IMU", "Soundstage", "Signal",
        ], swiftSettings: strict),
    .target(
        name: "Comparing",
        dependencies: [
            "Loading", "Stages", "Offline", "Desk", "Session", "Preview", "Listening", "Metering", "AudioIO", "Takes",
            "HRTF",
            "Soundstage", "Signal",
        ], swiftSettings: strict),
    .target(
        name: "Desktop", dependencies: ["Gate", "Processes", "Loading", "Soundstage", "Signal"], swiftSettings: strict),
    .target(
        name: "Surfaces",
        dependencies: [
            "Gate", "Loading", "Stages", "Desk", "HeadTracking",
        ],
        swiftSettings: strict),
    .target(name: "NSM", dependencies: ["Signal", "OSC", "CDevices"], swiftSettings: strict),
    .target(
        name: "MPRIS", dependencies: ["Gate", "Signal", "Stages", "Desk", "CBus", "CDevices"], swiftSettings: strict),
    .target(
        name: "Control",
        dependencies: [
            "Gate", "Signal", "Loading", "Stages", "Desk", "Capture", "OSC", "CDevices", "CPanel",
            .product(name: "NIOCore", package: "swift-nio"),
            .product(name: "NIOPosix", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
            .product(name: "NIOWebSocket", package: "swift-nio"),
        ], swiftSettings: strict),
    .executableTarget(
        name: "proscenium",
        dependencies: [
            "Gate", "Loading", "Racks", "Stages", "Offline", "Desk", "Trackers", "SavedSessions", "Comparing",
            "Session",
            "Preview", "Probes", "Listening", "Desktop", "Surfaces", "NSM", "MPRIS", "Control", "Capture", "AudioIO",
            "AudioMix",
            "Soundstage",
            "Takes",
            "Measurement", "Sweeps", "MotionLogs", "Metering", "Headphones", "Rooms", "HRTF", "SOFA", "HeadTracking",
            "IMU",
            "PluginHost",
            "Processes", "Geometry", "Signal", "CRealtime", "CWords",
            .product(name: "ArgumentParser", package: "swift-argument-parser"),
        ], swiftSettings: commands),
]

/// RealtimeSanitizer's library, linked into the tests if `RTSAN_LIB` names it. Some of them check the audio thread (see
/// `Scripts/realtime-proof.sh`).
let sanitizer: [LinkerSetting] =
    Context.environment["RTSAN_LIB"].flatMap { $0.isEmpty ? nil : $0 }.map {
        let flags = ["--whole-archive", $0, "--no-whole-archive", "--export-dynamic"]
        return [.unsafeFlags(flags.flatMap { ["-Xlinker", $0] })]
    } ?? []

let tests: [Target] = [
    .systemLibrary(
        name: "CEBUR128", path: "Tests/CEBUR128", pkgConfig: "libebur128", providers: [.apt(["libebur128-dev"])]),
    .target(name: "AbsentPlaces", path: "Tests/AbsentPlaces", swiftSettings: strict),
    .target(name: "Waiting", path: "Tests/Waiting", swiftSettings: strict),
    .target(name: "SeededRandom", path: "Tests/SeededRandom", swiftSettings: numeric),
    .target(name: "StoredProperties", path: "Tests/StoredProperties", swiftSettings: strict),
    .target(name: "FieldScenes", dependencies: ["SeededRandom"], path: "Tests/FieldScenes", swiftSettings: numeric),
    .target(
        name: "SoundFixtures", dependencies: ["AudioIO", "Signal"], path: "Tests/SoundFixtures", swiftSettings: strict),
    .target(
        name: "LoudnessFixtures", dependencies: ["Metering", "Signal", "CEBUR128"], path: "Tests/LoudnessFixtures",
        swiftSettings: strict),
    .target(name: "SeamMeasures", path: "Tests/SeamMeasures", swiftSettings: numeric),
    .testTarget(name: "CKernelsTests", dependencies: ["CKernels"], swiftSettings: strict),
    .testTarget(name: "GateTests", dependencies: ["Gate", "SoundFixtures"], swiftSettings: strict),
    .testTarget(name: "SignalTests", dependencies: ["Signal"], swiftSettings: strict),
    .target(
        name: "FakePlugins", dependencies: ["Inserts", "Signal"], path: "Tests/FakePlugins", swiftSettings: numeric),
    .testTarget(
        name: "InsertsTests", dependencies: ["CRealtime", "Inserts", "Signal", "FakePlugins"], swiftSettings: strict),
    .target(
        name: "PlantedPlugins", path: "Tests/PlantedPlugins", exclude: ["Effects"], swiftSettings: strict),
    .executableTarget(
        name: "plugin-fixture", dependencies: ["PluginHost", "Inserts", "Signal"], path: "Tests/PluginFixture",
        swiftSettings: strict),
    .testTarget(name: "ProcessesTests", dependencies: ["Waiting", "AbsentPlaces", "Processes"], swiftSettings: strict),
    .testTarget(
        name: "PluginHostTests",
        dependencies: [
            "Waiting", "AbsentPlaces", "PluginHost", "CPlugins", "Inserts", "Signal", "SoundFixtures", "PlantedPlugins",
            "plugin-fixture", "proscenium",
        ],
        exclude: ["Bundles"], swiftSettings: strict),
    .executableTarget(
        name: "race-proof", dependencies: ["Signal"], path: "Tests/RaceProof", swiftSettings: strict),
    .testTarget(name: "GeometryTests", dependencies: ["Geometry"], swiftSettings: strict),
    .testTarget(name: "ListeningTests", dependencies: ["Listening"], swiftSettings: strict),
    .testTarget(name: "OSCTests", dependencies: ["OSC", "SeededRandom"], swiftSettings: strict),
    .testTarget(name: "TakesTests", dependencies: ["Takes", "SoundFixtures"], swiftSettings: strict),
    .target(name: "ADMFixtures", path: "Tests/ADMFixtures", swiftSettings: strict),
    .testTarget(name: "ADMTests", dependencies: ["ADM", "ADMFixtures", "SeededRandom"], swiftSettings: strict),
    .testTarget(name: "ConvolutionTests", dependencies: ["Convolution", "Signal"], swiftSettings: numeric),
    .testTarget(
        name: "SOFATests", dependencies: ["CHDF5Driver", "Geometry", "AbsentPlaces", "SOFA", "CHDF5"],
        swiftSettings: strict),
    .testTarget(
        name: "HRTFTests",
        dependencies: ["AbsentPlaces", "HRTF", "Convolution", "SOFA", "Geometry", "Signal", "SeededRandom"],
        swiftSettings: numeric),
    .testTarget(name: "HeadphonesTests", dependencies: ["Headphones", "Signal"], swiftSettings: numeric),
    .testTarget(
        name: "SweepsTests", dependencies: ["Sweeps", "Rooms", "HRTF", "Geometry", "Signal", "SeededRandom"],
        swiftSettings: numeric),
    .testTarget(
        name: "RoomsTests", dependencies: ["Rooms", "HRTF", "SOFA", "CHDF5", "Geometry", "Signal", "SeededRandom"],
        swiftSettings: numeric),
    .testTarget(
        name: "IMUTests",
        dependencies: [
            "SeededRandom", "Waiting", "AbsentPlaces", "IMU", "OSC", "Geometry", "CDevices", "CRealtime",
            "SoundFixtures",
        ],
        swiftSettings: strict),
    .testTarget(
        name: "HeadTrackingTests", dependencies: ["HeadTracking", "IMU", "Geometry", "SeededRandom"],
        swiftSettings: numeric),
    .testTarget(
        name: "ProsceniumTests",
        dependencies: [
            "Gate", "IMU", "Processes", "Rendering", "Soundstage", "Surfaces",
            "AbsentPlaces", "proscenium", "Loading", "Racks", "Stages", "Offline", "Desk", "Trackers", "SavedSessions",
            "Comparing",
            "Session",
            "Control",
            "OSC", "AudioIO", "Capture", "Takes", "Headphones", "Rooms", "Probes", "Desktop",
            "HRTF",
            "SOFA",
            "HeadTracking", "Measurement", "Sweeps",
            "Geometry", "Signal", "SoundFixtures", "PlantedPlugins",
        ],
        swiftSettings: strict),
    .testTarget(
        name: "SoundstageTests",
        dependencies: [
            "Metering", "AbsentPlaces", "Soundstage", "AudioMix", "Signal", "Geometry", "SeededRandom", "SeamMeasures",
            "StoredProperties",
        ],
        swiftSettings: numeric),
    .testTarget(
        name: "AudioMixTests", dependencies: ["AudioMix", "FieldScenes", "Geometry", "Signal", "SeededRandom"],
        swiftSettings: numeric),
    .testTarget(
        name: "RenderingTests",
        dependencies: [
            "Rendering", "Headphones", "Metering", "Inserts", "Rooms", "HRTF", "SOFA", "Soundstage", "Convolution",
            "Geometry", "Signal", "CRealtime", "SeamMeasures", "SeededRandom", "FakePlugins", "AudioMix", "FieldScenes",
        ],
        swiftSettings: numeric),
    .executableTarget(
        name: "jack-fixtures", dependencies: ["CJACK", "CSndFile"], path: "Tests/JACKFixtures", cSettings: c),
    .executableTarget(
        name: "stage-fixture", dependencies: ["AudioIO", "Rendering", "HRTF", "Geometry", "Signal"],
        path: "Tests/StageFixture", swiftSettings: strict),
    .target(
        name: "AudioInMemory", dependencies: ["AudioIO", "CJACK", "Rendering", "Signal"], path: "Tests/AudioInMemory",
        swiftSettings: numeric),
    .testTarget(
        name: "AudioIOTests",
        dependencies: [
            "Waiting", "AudioInMemory", "AudioIO", "Takes", "Rendering", "HRTF", "Geometry", "Signal", "SeamMeasures",
            "SoundFixtures",
            "CSndFile", "jack-fixtures",
            "stage-fixture",
        ],
        exclude: ["Scenarios"], swiftSettings: strict),
    .testTarget(
        name: "CaptureTests",
        dependencies: [
            "AbsentPlaces", "AudioInMemory", "Capture", "AudioIO", "Takes", "Soundstage", "HRTF", "IMU", "Geometry",
            "Signal", "SeamMeasures",
            "SeededRandom", "SoundFixtures",
        ],
        swiftSettings: numeric),
    .testTarget(
        name: "RealtimeTests",
        dependencies: [
            "AudioIO", "AudioMix", "Rendering", "Headphones", "Inserts", "Rooms", "HRTF", "Soundstage", "Geometry",
            "Signal",
            "CRealtime", "FakePlugins", "FieldScenes",
        ],
        swiftSettings: numeric, linkerSettings: sanitizer),
    .target(
        name: "DoorFixtures", dependencies: ["Control", "Desk", "CDevices"], path: "Tests/DoorFixtures",
        swiftSettings: strict),
    .target(
        name: "TurnedTakes", dependencies: ["Capture", "AudioIO", "Geometry", "Signal"], path: "Tests/TurnedTakes",
        swiftSettings: strict),
    .testTarget(
        name: "RacksTests",
        dependencies: ["Racks", "Loading", "PluginHost", "Inserts", "Gate", "StoredProperties"], swiftSettings: strict),
    .testTarget(
        name: "StagesTests",
        dependencies: [
            "Stages", "Loading", "AudioIO", "AudioMix", "Rendering", "Headphones", "Rooms", "HRTF", "HeadTracking",
            "Soundstage", "Signal", "Geometry", "AbsentPlaces", "StoredProperties",
        ], swiftSettings: strict),
    .testTarget(
        name: "OfflineTests",
        dependencies: [
            "Offline", "Stages", "Loading", "MotionLogs", "Capture", "AudioIO", "Takes", "AudioMix", "Metering",
            "Rendering",
            "HRTF", "Soundstage", "Signal", "Geometry", "ADMFixtures", "FieldScenes", "LoudnessFixtures",
            "SeededRandom",
            "SoundFixtures", "TurnedTakes",
        ], swiftSettings: strict),
    .testTarget(
        name: "DeskTests",
        dependencies: [
            "Desk", "Stages", "Racks", "Loading", "Gate", "Capture", "AudioIO", "Metering", "HeadTracking", "IMU",
            "Soundstage", "Signal", "LoudnessFixtures", "SoundFixtures", "StoredProperties", "Waiting",
        ], swiftSettings: strict),
    .testTarget(
        name: "SavedSessionsTests",
        dependencies: [
            "SavedSessions", "Desk", "Stages", "Racks", "Loading", "Gate", "AudioIO", "HRTF", "IMU", "Soundstage",
            "SeededRandom", "SoundFixtures", "StoredProperties",
        ],
        exclude: ["Corpus"], swiftSettings: strict),
    .testTarget(
        name: "NSMTests", dependencies: ["NSM", "Control", "OSC", "CDevices", "Waiting"], swiftSettings: strict),
    .testTarget(
        name: "MPRISTests", dependencies: ["MPRIS", "Desk", "Signal", "Stages", "Waiting"], swiftSettings: strict),
    .testTarget(
        name: "ControlTests",
        dependencies: [
            "Control", "Desk", "Stages", "Racks", "Loading", "Gate", "Capture", "AudioIO", "HeadTracking", "OSC",
            "PluginHost", "Signal", "CDevices", "AudioInMemory", "DoorFixtures", "SoundFixtures", "Waiting",
            .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOEmbedded", package: "swift-nio"),
        ],
        exclude: ["OSC/Records"], swiftSettings: strict),
    .testTarget(
        name: "SessionTests",
        dependencies: [
            "Session", "Preview", "Probes", "SavedSessions", "Trackers", "Comparing", "Control", "Desk", "Offline",
            "Stages",
            "Racks", "Loading",
            "Listening", "Measurement", "MotionLogs", "PluginHost", "Inserts", "Capture", "AudioIO", "AudioMix",
            "Metering", "Rendering", "Headphones", "Rooms", "HRTF", "HeadTracking", "IMU", "OSC", "Soundstage",
            "Signal", "Geometry", "Gate", "CDevices", "CRealtime", "AbsentPlaces", "ADMFixtures", "DoorFixtures",
            "AudioInMemory", "FieldScenes", "PlantedPlugins", "SeamMeasures", "SeededRandom", "SoundFixtures",
            "StoredProperties", "TurnedTakes", "Waiting",
        ], swiftSettings: strict),
    .testTarget(
        name: "SurfacesTests",
        dependencies: ["Racks", "Waiting", "Gate", "Loading", "Stages", "Desk", "Surfaces", "HeadTracking"],
        exclude: ["Corpus"], swiftSettings: strict),
    .testTarget(
        name: "FuzzTests",
        dependencies: [
            "Offline",
            "Loading", "Racks", "Stages", "Desk", "SavedSessions", "Session", "MotionLogs", "AudioIO", "Rooms", "SOFA",
            "Soundstage", "IMU",
            "OSC", "Geometry", "Signal",
            "SeededRandom", "SoundFixtures", "ADMFixtures",
        ],
        exclude: ["Corpus"], swiftSettings: strict),
    .testTarget(
        name: "MeteringTests", dependencies: ["Metering", "Signal", "LoudnessFixtures"], swiftSettings: numeric),
    .testTarget(
        name: "RenditionMatchingTests",
        dependencies: [
            "RenditionMatching", "Rendering", "HRTF", "Soundstage", "Metering", "Geometry", "Signal", "SeededRandom",
        ],
        swiftSettings: numeric),
    .testTarget(
        name: "ProbesTests", dependencies: ["Probes", "AudioIO", "HRTF", "Signal"], swiftSettings: strict),
    .testTarget(
        name: "DesktopTests", dependencies: ["Desktop", "Gate", "Loading"], exclude: ["Corpus"], swiftSettings: strict),
    .testTarget(
        name: "MeasurementTests",
        dependencies: [
            "AudioInMemory", "Measurement", "AudioIO", "SOFA", "Sweeps", "Soundstage", "Geometry", "Signal",
        ],
        swiftSettings: strict),
    .testTarget(
        name: "MotionLogsTests",
        dependencies: [
            "AbsentPlaces", "AudioMix", "Gate", "MotionLogs", "Rendering", "Soundstage", "HeadTracking", "IMU",
            "Geometry", "Signal", "StoredProperties", "Takes",
        ],
        exclude: ["Corpus"], swiftSettings: numeric),
]

/// Targets of the benchmarks, and of other programs with which the product is compared; some of these are under the
/// GPL. The targets belong to the package only with `PROSCENIUM_BENCHMARKS=1`, which `Scripts/bench` sets.
let peers: [String] = ["-O3", "-march=native", "-ffast-math", "-Wall", "-Wextra", "-Werror"]
let peerOfC: [CSetting] = [.unsafeFlags(["-O3", "-Wall", "-Wextra", "-Werror"])]
let benchmarks: [Target] = [
    .target(name: "CAllocations", path: "Benchmarks/Sources/CAllocations", cSettings: peerOfC),
    .systemLibrary(
        name: "CLilvPeer", path: "Benchmarks/Sources/CLilvPeer", pkgConfig: "lilv-0", providers: [.apt(["liblilv-dev"])]
    ),
    .target(
        name: "CPluginPeer", dependencies: ["CLilvPeer"], path: "Benchmarks/Sources/CPluginPeer", cSettings: peerOfC),
    .target(
        name: "CPeers", path: "Benchmarks/Sources/CPeers", cSettings: [.unsafeFlags(peers)],
        cxxSettings: [.unsafeFlags(peers)],
        linkerSettings: [.linkedLibrary("zita-convolver"), .linkedLibrary("fftw3f"), .linkedLibrary("mysofa")]),
    // One peer, VQF, is compiled by Scripts/bench and opened at run time.
    .executableTarget(
        name: "bench",
        dependencies: [
            "CAllocations", "CPeers", "CPluginPeer", "CKernels", "CRealtime", "Convolution", "Geometry", "HRTF",
            "Headphones", "IMU", "Inserts", "Metering", "PluginHost", "Rendering", "Rooms", "SOFA", "Signal",
            "Soundstage",
        ],
        path: "Benchmarks/Sources/bench",
        swiftSettings: [
            .swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"), .treatAllWarnings(as: .error),
        ]),
]
let isBenchmark = Context.environment["PROSCENIUM_BENCHMARKS"] == "1"

let package = Package(
    name: "proscenium",
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.90.0"),
    ],
    targets: house + tests + (isBenchmark ? benchmarks : []),
    cxxLanguageStandard: .cxx17
)
