import PluginHost
import Synchronization

/// Owner of the instances of an insert. When the last chain releases the owner, the instances are closed.
///
/// The last chain may belong to a stage of the audio thread, which outlives its session if the server hangs.
package final class PluginHold: Sendable {
    private let name: String
    private let instances: [any PluginInstance]
    private let endings: PluginEndings

    /// Time limit for closing each instance, until one could not be closed in time, seconds.
    private static let patience = 2.0

    /// Creates an owner of the instances of the insert `name`.
    package init(_ instances: [any PluginInstance], of name: String, endings: PluginEndings) {
        self.instances = instances
        self.name = name
        self.endings = endings
    }

    deinit {
        // An instance that cannot be closed has a worker or process that does not return. The timeout of the remaining
        // instances is then shorter.
        var patience = Self.patience
        var isStuck = false
        for instance in instances where !instance.close(within: patience) {
            isStuck = true
            patience = 0.1
        }
        if isStuck { endings.note(name) }
    }
}

/// Names of inserts whose instances could not be closed in time.
package final class PluginEndings: Sendable {
    private let stuck = Mutex<[String]>([])

    /// Records an insert that could not be closed in time.
    package func note(_ name: String) { stuck.withLock { $0.append(name) } }

    /// Returns the names recorded since the last call.
    package func take() -> [String] {
        stuck.withLock { stuck in
            defer { stuck = [] }
            return stuck
        }
    }
}
