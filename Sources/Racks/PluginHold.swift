import PluginHost
import Synchronization

/// Owner of the instances of an insert. When the last chain releases the owner, the instances are closed.
///
/// If the server hangs, the audio thread may keep the last chain even after the end of the session.
package final class PluginHold: Sendable {
    private let name: String
    private let instances: [any PluginInstance]
    private let endings: PluginEndings
    private let patience: Double

    /// Least time limit for closing one instance, seconds, even if the other instances have used up `patience`.
    private static let least = 0.1

    /// Creates an owner of the instances of the insert `name`. `patience`: time limit for closing all of them, seconds.
    package init(
        _ instances: [any PluginInstance], of name: String, endings: PluginEndings, within patience: Double = 2
    ) {
        self.instances = instances
        self.name = name
        self.endings = endings
        self.patience = patience
    }

    deinit {
        // An instance that cannot be closed has a worker or process that does not return, and uses up the time of all.
        let end = ContinuousClock.now + .seconds(patience)
        var isStuck = false
        for instance in instances {
            let left = (end - ContinuousClock.now) / .seconds(1)
            if !instance.close(within: max(Self.least, left)) { isStuck = true }
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
