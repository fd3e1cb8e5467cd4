import Foundation

/// Plugins that cannot be had at the moment, because this machine or this stage has no place for them: kept with their
/// states for one that has.
package struct AbsentPlugins: Sendable {
    /// What asks for them; states lie in a folder of their own.
    package private(set) var requests: [PluginRequest] = []
    private var folder: Folder?

    /// A folder that goes with the last reference to it.
    private final class Folder: Sendable {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("proscenium-\(UUID().uuidString)").path
        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    /// Keeps one, with a copy of its state: the caller may let go of its own.
    package mutating func keep(_ request: PluginRequest) {
        var kept = request
        if let state = request.state {
            let own = folder ?? Folder()
            let copy = "\(own.path)/\(requests.count)"
            let files = FileManager.default
            try? files.createDirectory(atPath: own.path, withIntermediateDirectories: true)
            kept.state = (try? files.copyItem(atPath: state, toPath: copy)) == nil ? nil : copy
            folder = own
        }
        requests.append(kept)
    }
}
