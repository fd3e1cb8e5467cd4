import Synchronization

/// A flag that threads and tasks share; once raised, it stays so.
public final class Flag: Sendable {
    private let state = Mutex(false)

    /// Creates a flag that is not raised.
    public init() {}

    /// Whether the flag is raised.
    public var isRaised: Bool { state.withLock { $0 } }
    /// Raises the flag.
    public func raise() { state.withLock { $0 = true } }
}
