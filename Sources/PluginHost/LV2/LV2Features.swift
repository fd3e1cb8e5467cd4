import CLilv
import CPlugins

/// LV2 features that the host offers to an instance when it is created.
struct LV2Features {
    /// URIs of all features of this host. A plugin that requires any other feature is refused.
    static let known: Set<String> = [
        URIs.urid + "map", URIs.urid + "unmap", URIs.options + "options", URIs.bufSize + "boundedBlockLength",
        URIs.bufSize + "fixedBlockLength", URIs.bufSize + "powerOf2BlockLength", URIs.worker + "schedule",
        URIs.log + "log", URIs.core + "isLive", URIs.core + "hardRTCapable", URIs.core + "inPlaceBroken",
        URIs.state + "loadDefaultState", URIs.state + "threadSafeRestore", URIs.state + "makePath",
        URIs.state + "mapPath", URIs.state + "freePath",
    ]

    /// Features, terminated by nil.
    let list: UnsafeMutablePointer<UnsafePointer<LV2_Feature>?>
    private let memory: LV2Memory

    /// Creates the list of the offered features. A feature without data only states a property of the host.
    init(_ offered: [(uri: String, data: UnsafeMutableRawPointer?)], _ memory: LV2Memory) {
        self.memory = memory
        list = memory.row(offered.count + 1, of: nil)
        for (i, feature) in offered.enumerated() {
            let one = memory.row(1, of: LV2_Feature(URI: memory.text(feature.uri), data: feature.data))
            list[i] = UnsafePointer(one)
        }
    }

    /// Returns the features that are offered to an instance.
    static func offered(
        _ setup: PluginSetup, requiresLive: Bool, worker: LV2Worker, log: PluginLog, folder: LV2ScratchFolder,
        _ memory: LV2Memory
    ) -> [(uri: String, data: UnsafeMutableRawPointer?)] {
        var offered: [(uri: String, data: UnsafeMutableRawPointer?)] = [
            (URIs.urid + "map", .init(memory.row(1, of: URIDMap.shared.mapping))),
            (URIs.urid + "unmap", .init(memory.row(1, of: URIDMap.shared.unmapping))),
            (URIs.options + "options", .init(LV2Options(setup, memory).list)),
            (URIs.bufSize + "boundedBlockLength", nil), (URIs.worker + "schedule", .init(worker.schedule)),
            (URIs.log + "log", .init(log.feature)), (URIs.state + "loadDefaultState", nil),
            (URIs.state + "threadSafeRestore", nil), (URIs.core + "hardRTCapable", nil),
            (URIs.core + "inPlaceBroken", nil),
        ]
        offered += folder.features
        if setup.isFixed {
            // Slices have 64, 128 or 256 frames.
            offered += [(URIs.bufSize + "fixedBlockLength", nil), (URIs.bufSize + "powerOf2BlockLength", nil)]
        }
        // A plugin that requires isLive is offered it offline too, so that it behaves as in live use.
        if setup.isLive || requiresLive { offered.append((URIs.core + "isLive", nil)) }
        return offered
    }
}
