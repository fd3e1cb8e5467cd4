import Signal
import Stages

/// The clients that asked for the stage, in the order in which they asked, and what that comes to for each input.
///
/// An interruption acts on everything but its own input and the inputs of those that asked after it. Where several act,
/// the deepest counts: they do not add up. A pure value; time is an argument, seconds.
package struct Interruptions: Sendable, Equatable {
    /// Most at a time.
    package static let most = 32

    /// In order of asking, oldest first.
    package private(set) var all: [Interruption] = []

    /// None is under way.
    package init() {}

    /// An interruption asks for the stage, or, when it has it, to keep it longer or otherwise. False: too many have it.
    package mutating func begin(
        _ name: String, _ effect: InterruptionEffect, lease: Double? = nil, followsClient: Bool = false, at time: Double
    ) -> Bool {
        let asked = Interruption(name: name, effect: effect, end: lease.map { time + $0 }, followsClient: followsClient)
        if let index = all.firstIndex(where: { $0.name == name }) {
            guard all[index].lingers else {
                all[index] = asked
                return true
            }
            // It had ended: it asks anew, after the others.
            all.remove(at: index)
        }
        guard all.count < Interruptions.most else { return false }
        all.append(asked)
        return true
    }

    /// An interruption gives the stage back; with `resumes` false what it did stays until `resume`. False: it does not
    /// have it.
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

    /// Ends those whose lease ran out or whose client is gone, with a resume; their names.
    package mutating func expire(at time: Double, clientExists: (String) -> Bool) -> [String] {
        let over = all.filter { ($0.end ?? .infinity) <= time || ($0.followsClient && !clientExists($0.name)) }
        all.removeAll { over.contains($0) }
        return over.map(\.name)
    }

    /// The user goes on: what ended without a resume is undone. The names of these.
    package mutating func resume() -> [String] {
        let gone = all.filter(\.lingers).map(\.name)
        all.removeAll(where: \.lingers)
        return gone
    }

    /// The linear gain of an input at this moment.
    package func gain(ofInput name: String) -> Float {
        let own = all.firstIndex { $0.name == name && !$0.lingers } ?? -1
        return all[(own + 1)...].filter { $0.name != name }.map(\.effect.gain).min() ?? 1
    }

    /// Whether something is paused.
    package var isPausing: Bool { all.contains { $0.effect == .pause } }
}

/// An interruption that has the stage.
package struct Interruption: Sendable, Equatable {
    /// How it is called; where an input is called so, that input keeps sounding.
    package var name: String
    /// What it does to the others.
    package var effect: InterruptionEffect
    /// Seconds of the session's clock at which it ends by itself; nil: never.
    package var end: Double?
    /// Whether it ends when the JACK client of its name goes.
    package var followsClient: Bool
    /// It ended without a resume: what it did stays until the user resumes.
    package var lingers = false
}
