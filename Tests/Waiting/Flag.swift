import Synchronization

/// Something that came true.
public final class Flag: Sendable {
    private let state = Mutex(false)

    /// One that is not raised yet.
    public init() {}

    /// Whether it is.
    public var isRaised: Bool { state.withLock { $0 } }
    /// It is from now on.
    public func raise() { state.withLock { $0 = true } }
}
