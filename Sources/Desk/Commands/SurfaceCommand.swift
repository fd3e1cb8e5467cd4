import Synchronization

/// What can be asked of a control surface while a session runs.
package enum SurfaceCommand: Sendable, Equatable {
    /// Binds the next control that is moved to an address; after those that wait already.
    case learn(String)
    /// Binds none of those that wait.
    case cancel
}

/// The place of a control surface at a session's desk. Any thread.
package final class SurfaceSeat: Sendable {
    /// What is asked of a surface, and which address waits for a control there.
    private struct Surface: Sendable {
        /// Does it; why not.
        let perform: @Sendable (SurfaceCommand) -> String?
        let learning: @Sendable () -> String?
    }
    private let taken = Mutex<Surface?>(nil)

    /// A free place.
    package init() {}

    /// A surface sits down.
    package func take(
        perform: @escaping @Sendable (SurfaceCommand) -> String?, learning: @escaping @Sendable () -> String?
    ) {
        taken.withLock { $0 = Surface(perform: perform, learning: learning) }
    }

    /// It goes.
    package func leave() { taken.withLock { $0 = nil } }

    /// The address that waits for a control; nil: none does.
    package var learning: String? { taken.withLock { $0 }?.learning() }

    /// Has the surface do something; why not.
    package func perform(_ command: SurfaceCommand) -> String? {
        guard let surface = taken.withLock({ $0 }) else {
            return "there is no control surface here; start the session with --surface FILE"
        }
        return surface.perform(command)
    }
}
