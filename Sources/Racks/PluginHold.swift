import PluginHost
import Synchronization

/// Keeps the instances of an insert while a chain holds them, and ends them after that.
///
/// The last hold may be the audio thread's stage, which outlives its session where a server hangs.
package final class PluginHold: Sendable {
    private let name: String
    private let instances: [any PluginInstance]
    private let endings: PluginEndings

    /// Timeout for the end of all instances together, seconds.
    private static let patience = 2.0

    /// Creates a hold of the instances of the insert `name`.
    package init(_ instances: [any PluginInstance], of name: String, endings: PluginEndings) {
        self.instances = instances
        self.name = name
        self.endings = endings
    }

    deinit {
        // An instance that does not end has a worker or process that does not return; the timeout of the others is
        // shorter.
        var patience = Self.patience
        var isStuck = false
        for instance in instances where !instance.close(within: patience) {
            isStuck = true
            patience = 0.1
        }
        if isStuck { endings.note(name) }
    }
}

/// Names of inserts that could not be ended in time.
package final class PluginEndings: Sendable {
    private let stuck = Mutex<[String]>([])

    /// Records a plugin that did not end in time.
    package func note(_ name: String) { stuck.withLock { $0.append(name) } }

    /// Returns the names since the last call.
    package func take() -> [String] {
        stuck.withLock { stuck in
            defer { stuck = [] }
            return stuck
        }
    }
}
