import Synchronization

/// Connection of a control surface to a session's desk. All functions may be called on any thread.
package final class SurfaceSeat: Sendable {
    /// The functions of a connected surface.
    private struct Surface: Sendable {
        /// Carries out a command; returns the reason of a failure, or nil.
        let perform: @Sendable (SessionCommand.Surface) -> String?
        let learning: @Sendable () -> String?
    }
    private let taken = Mutex<Surface?>(nil)

    /// Creates a connection without a surface.
    package init() {}

    /// Connects a surface.
    package func take(
        perform: @escaping @Sendable (SessionCommand.Surface) -> String?, learning: @escaping @Sendable () -> String?
    ) {
        taken.withLock { $0 = Surface(perform: perform, learning: learning) }
    }

    /// Disconnects the surface.
    package func leave() { taken.withLock { $0 = nil } }

    /// Address that waits for a control; nil without one.
    package var learning: String? { taken.withLock { $0 }?.learning() }

    /// Passes a command to the surface; returns the reason of a failure, or nil.
    package func perform(_ command: SessionCommand.Surface) -> String? {
        guard let surface = taken.withLock({ $0 }) else {
            return "there is no control surface here; start the session with --surface FILE"
        }
        return surface.perform(command)
    }
}
