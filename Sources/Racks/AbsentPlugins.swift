import Foundation

/// Plugins that are not available on this machine or stage. Their requests and states are kept for another machine or
/// stage on which they are available.
package struct AbsentPlugins: Sendable {
    /// Requests of the plugins. Their states are stored in a temporary folder.
    package private(set) var requests: [PluginRequest] = []
    private var folder: Folder?

    /// Folder that is removed with the last reference to it.
    private final class Folder: Sendable {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("proscenium-\(UUID().uuidString)").path
        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    /// Adds a request with a copy of its state, so that the caller may remove the original.
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
