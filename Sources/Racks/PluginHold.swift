import PluginHost
import Synchronization

/// Keeps the instances of an insert for as long as a chain holds them, and ends them then.
///
/// The chain's last hold may be the audio thread's stage itself, which outlives its session where a server hangs.
package final class PluginHold: Sendable {
    private let name: String
    private let instances: [any PluginInstance]
    private let endings: PluginEndings

    /// Seconds that all instances together may take to end.
    private static let patience = 2.0

    /// Instances of an insert called `name`.
    package init(_ instances: [any PluginInstance], of name: String, endings: PluginEndings) {
        self.instances = instances
        self.name = name
        self.endings = endings
    }

    deinit {
        // Where one does not end, its worker or its process does not return: the others are not waited for as long.
        var patience = Self.patience
        var isStuck = false
        for instance in instances where !instance.close(within: patience) {
            isStuck = true
            patience = 0.1
        }
        if isStuck { endings.note(name) }
    }
}

/// Names of inserts that could not be ended.
package final class PluginEndings: Sendable {
    private let stuck = Mutex<[String]>([])

    /// Notes a plugin that did not end in time.
    package func note(_ name: String) { stuck.withLock { $0.append(name) } }

    /// Those since the last call.
    package func take() -> [String] {
        stuck.withLock { stuck in
            defer { stuck = [] }
            return stuck
        }
    }
}
