import Foundation

/// Plugins that are not available, for example because this machine lacks the plugin, or because the stage (the
/// rendered programmes) lacks its place. Their requests and states are kept for another machine or stage.
package struct AbsentPlugins: Sendable {
    /// Requests of the plugins. Their states are stored in a temporary folder.
    package private(set) var requests: [PluginRequest] = []
    /// `[request]`: name of the plugin before the requested plugin in its chain; nil at the beginning of the chain. The
    /// plugin of that name may be absent too.
    package private(set) var formers: [String?] = []
    private var folder: TemporaryStates?

    /// Adds a request with a copy of its state, so that the caller may remove the original. If the copy fails, the
    /// request is kept without a state. `former`: name of the plugin before the requested plugin in its chain; nil at
    /// the beginning of the chain.
    package mutating func keep(_ request: PluginRequest, after former: String?) {
        var kept = request
        if let state = request.state {
            let own = folder ?? TemporaryStates()
            let copy = "\(own.path)/\(requests.count)"
            let files = FileManager.default
            try? files.createDirectory(atPath: own.path, withIntermediateDirectories: false)
            let isCopied = (try? files.copyItem(atPath: state, toPath: copy)) != nil
            kept.state = isCopied ? copy : nil
            kept.keeper = isCopied ? own : nil
            folder = own
        }
        requests.append(kept)
        formers.append(former)
    }
}
