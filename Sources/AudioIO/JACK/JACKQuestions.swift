import Synchronization

/// Counts the questions to libjack that are under way, so that nothing is asked of a client that is being closed. Any thread.
final class JACKQuestions: Sendable {
    private let count = Atomic<Int>(0)

    /// A question begins.
    func begin() { count.wrappingAdd(1, ordering: .acquiringAndReleasing) }

    /// It was answered.
    func end() { count.wrappingSubtract(1, ordering: .acquiringAndReleasing) }

    /// Whether none is under way.
    var areAnswered: Bool { count.load(ordering: .acquiring) == 0 }
}
