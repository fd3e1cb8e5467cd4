import Geometry
import HRTF
import Soundstage
import Sweeps

/// A measured take (a recording of the sweeps at both ears), with its file and the yaw of the head.
struct NamedTake: Sendable {
    /// Distance of a loudspeaker if the layout gives none, metres.
    static let usualDistance = 2.0
    /// Path of the recording.
    var path: String
    /// Yaw of the head, degrees, positive to the left.
    var yaw: Double
    var take: MeasuredTake
    /// Faults of the take, and those that all takes together show.
    var faults: [TakeFault]

    /// Rotation of the head.
    var head: Rotation<Head, Stage> { Rotation(yaw: yaw * .pi / 180) }

    /// Adds the faults that all takes together show: exchanged ears, and loudspeakers that played on wrong channels.
    static func judgePlaces(_ found: inout [NamedTake], of loudspeakers: [Loudspeaker], earsAreKnown: Bool = false) {
        var places: [(take: Int, heard: EarPlacement.Heard)] = []
        for index in found.indices {
            for response in found[index].take.responses {
                guard let place = loudspeakers.first(where: { $0.symbol == response.loudspeaker }) else { continue }
                let heard = EarPlacement.Heard(
                    loudspeaker: response.loudspeaker, direction: found[index].head.inverse(place.direction),
                    interauralTime: response.interauralTime)
                places.append((index, heard))
            }
        }
        let faults = EarPlacement.faults(places.map(\.heard), earsAreKnown: earsAreKnown)
        for (place, fault) in faults.sorted(by: { $0.key < $1.key }) {
            let take = places[place].take
            if !found[take].faults.contains(fault) { found[take].faults.append(fault) }
        }
    }

    /// Returns the level at the left ear less that at the right from 100 to 300 Hz, less that of a sphere. Returns nil
    /// if no loudspeaker's sound stands out of the noise.
    func earLevel(of loudspeakers: [Loudspeaker]) -> EarLevels.Level? {
        let levels = take.responses.compactMap { response -> Double? in
            guard let level = response.interauralLevel,
                let place = loudspeakers.first(where: { $0.symbol == response.loudspeaker })
            else { return nil }
            let distance = place.distance ?? Self.usualDistance
            return level - EarLevels.expected(head.inverse(place.direction), distance: distance)
        }
        return EarLevels.Level(of: levels)
    }

    /// Adds a fault to each take without one in which an ear is too quiet, by itself or compared with the other takes.
    static func judgeLevels(_ found: inout [NamedTake], of loudspeakers: [Loudspeaker]) {
        var levels: [(take: Int, level: EarLevels.Level)] = []
        for index in found.indices where found[index].faults.isEmpty {
            if let level = found[index].earLevel(of: loudspeakers) { levels.append((index, level)) }
        }
        for (place, fault) in EarLevels.faults(levels.map(\.level)) { found[levels[place].take].faults.append(fault) }
    }

    /// Largest difference between the travel times of the sound from two loudspeakers, seconds. Sound travels 10 m in
    /// this time.
    private static let longestWay = 0.03

    /// Returns the takes in order of their distance from the front, nearest first, each with its reference: the take
    /// whose origin of time it gets. The reference is the first earlier take in this order that has a loudspeaker in
    /// common with the take. It is nil for a take that keeps its own origin.
    private static func origins(_ found: [NamedTake]) -> [(take: Int, reference: Int?)] {
        let order = found.indices.sorted { abs(found[$0].yaw) < abs(found[$1].yaw) }
        return order.enumerated().map { place, take in
            let own = Set(found[take].take.responses.map(\.loudspeaker))
            let reference = order[..<place].first { other in
                found[other].take.responses.contains { own.contains($0.loudspeaker) }
            }
            return (take, reference)
        }
    }

    /// For takes that should have one origin of time: adds a fault to each take whose sound arrives more than
    /// `longestWay` earlier or later than the median of all takes. Of two takes, the first is the reference. Only takes
    /// that keep their own origin are judged: `align` gives each of the other takes the origin of a judged take.
    static func judgeStarts(_ found: inout [NamedTake]) {
        let own = origins(found).filter { $0.reference == nil }.map(\.take).sorted()
        var arrivals: [(take: Int, time: Double)] = []
        for take in own {
            guard let heard = found[take].take.responses.first(where: { $0.isHeard.contains(true) }) else { continue }
            arrivals.append((take, Double(heard.origin + (heard.onsets.min() ?? 0)) / heard.sampleRate))
        }
        guard arrivals.count > 1 else { return }
        let usual = arrivals.count == 2 ? arrivals[0].time : arrivals.map(\.time).sorted()[arrivals.count / 2]
        for (take, time) in arrivals where abs(time - usual) > longestWay {
            found[take].faults.append(.startedApart(seconds: time - usual))
        }
    }

    /// Time that `placeStarts` adds to each arrival, seconds: a response begins as long before its sound.
    private static let earliest = 0.005

    /// For recordings that began at any time: shifts each take that keeps its own origin, so that the sound of its
    /// first loudspeaker arrives after the time that it travels from the loudspeaker's distance, 2 m if the layout
    /// gives none. The arrival is the mean over both ears: the time at the middle of the head.
    static func placeStarts(_ found: inout [NamedTake], of loudspeakers: [Loudspeaker]) {
        for case (let take, nil) in origins(found) {
            guard let heard = found[take].take.responses.first(where: { $0.isHeard.contains(true) }) else { continue }
            let distance = loudspeakers.first { $0.symbol == heard.loudspeaker }?.distance ?? Self.usualDistance
            let arrival = Double(heard.origin) + Double(heard.onsets.reduce(0, +)) / 2
            let wanted = (earliest + distance / RigidSphere.speedOfSound) * heard.sampleRate
            for row in found[take].take.responses.indices {
                found[take].take.responses[row].origin += Int((wanted - arrival).rounded())
            }
        }
    }

    /// Largest time difference between takes that a movement of the head may cause, seconds.
    private static let ownMovement = 0.0005

    /// Gives all takes one origin of time. Each take is shifted to the origin of a take that is nearer to the front and
    /// has a loudspeaker in common with it; of several such takes, the one nearest to the front is used.
    ///
    /// - Parameter isFree: whether the recordings began at any time. If not, only differences are removed that are too
    ///   large for a movement of the head (`ownMovement`).
    static func align(_ found: inout [NamedTake], isFree: Bool) {
        for case (let take, let reference?) in origins(found) {
            let responses = found[reference].take.responses
            guard let delay = LookAlignment.delay(of: found[take].take.responses, after: responses),
                isFree || abs(delay) > ownMovement * responses[0].sampleRate
            else { continue }
            for row in found[take].take.responses.indices {
                found[take].take.responses[row].origin -= Int(delay.rounded())
            }
        }
    }
}
