import Signal
import Stages

/// The interruptions in force, in the order in which they began, and the gain that results for each input.
///
/// An interruption acts on all inputs, except the input of its own name and the inputs of later interruptions. If
/// several act on an input, the lowest gain applies; gains are not multiplied. Times are arguments, in seconds.
package struct Interruptions: Sendable, Equatable {
    /// Greatest number of interruptions at a time.
    package static let most = 32

    /// The interruptions in order of their begin, oldest first.
    package private(set) var all: [Interruption] = []

    /// Creates a list without interruptions.
    package init() {}

    /// Begins an interruption, or updates the lease and effect of one in force. Returns false if there are too many.
    package mutating func begin(
        _ name: String, _ effect: InterruptionEffect, lease: Double? = nil, followsClient: Bool = false, at time: Double
    ) -> Bool {
        let asked = Interruption(name: name, effect: effect, end: lease.map { time + $0 }, followsClient: followsClient)
        if let index = all.firstIndex(where: { $0.name == name }) {
            guard all[index].lingers else {
                all[index] = asked
                return true
            }
            // A lingering interruption has ended already. The new one of the same name comes after the others.
            all.remove(at: index)
        }
        guard all.count < Interruptions.most else { return false }
        all.append(asked)
        return true
    }

    /// Ends an interruption. With `resumes` false its effect stays until `resume`. Returns false if it is not in force.
    package mutating func end(_ name: String, resumes: Bool) -> Bool {
        guard let index = all.firstIndex(where: { $0.name == name && !$0.lingers }) else { return false }
        if resumes {
            all.remove(at: index)
        } else {
            all[index].lingers = true
            (all[index].end, all[index].followsClient) = (nil, false)
        }
        return true
    }

    /// Ends, with a resume, the interruptions whose lease ran out or whose client is gone. Returns their names.
    package mutating func expire(at time: Double, clientExists: (String) -> Bool) -> [String] {
        let over = all.filter { ($0.end ?? .infinity) <= time || ($0.followsClient && !clientExists($0.name)) }
        all.removeAll { over.contains($0) }
        return over.map(\.name)
    }

    /// Ends the lingering effects of interruptions that ended without a resume. Returns their names.
    package mutating func resume() -> [String] {
        let gone = all.filter(\.lingers).map(\.name)
        all.removeAll(where: \.lingers)
        return gone
    }

    /// Returns the present linear gain of an input: 1 if no interruption acts on it.
    package func gain(ofInput name: String) -> Float {
        let own = all.firstIndex { $0.name == name && !$0.lingers } ?? -1
        return all[(own + 1)...].filter { $0.name != name }.map(\.effect.gain).min() ?? 1
    }

    /// Whether an interruption pauses inputs.
    package var isPausing: Bool { all.contains { $0.effect == .pause } }
}

/// An interruption in force.
package struct Interruption: Sendable, Equatable {
    /// Name of the interruption; it does not act on an input of the same name.
    package var name: String
    /// Effect on the other inputs.
    package var effect: InterruptionEffect
    /// Time of the automatic end, seconds of the session's clock; nil without one.
    package var end: Double?
    /// Whether it ends when the JACK client of the same name closes.
    package var followsClient: Bool
    /// Whether it ended without a resume, and its effect stays until the user resumes.
    package var lingers = false
}
