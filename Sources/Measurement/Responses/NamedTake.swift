import Geometry
import Soundstage
import Sweeps

/// A measured take (a recording of the sweeps at both ears), with its file and the yaw of the head.
struct NamedTake: Sendable {
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

    /// Largest difference between the travel times of the sound from two loudspeakers, seconds. Sound travels 10 m in
    /// this time.
    private static let longestWay = 0.03

    /// For takes that should have one origin of time: adds a fault to each take whose sound arrives more than
    /// `longestWay` earlier or later than the median of all takes. Of two takes, the first is the reference. A take
    /// gets no fault if it has a loudspeaker in common with another take, because `align` gives both one origin.
    static func judgeStarts(_ found: inout [NamedTake]) {
        let arrivals = found.map { take in
            take.take.responses.first { $0.isHeard.contains(true) }.map { response in
                Double(response.origin + (response.onsets.min() ?? 0)) / response.sampleRate
            }
        }
        let sorted = arrivals.compactMap(\.self).sorted()
        guard sorted.count > 1 else { return }
        let usual = sorted.count == 2 ? arrivals.compactMap(\.self)[0] : sorted[sorted.count / 2]
        for (index, arrival) in arrivals.enumerated() {
            guard let arrival, abs(arrival - usual) > longestWay else { continue }
            let own = Set(found[index].take.responses.map(\.loudspeaker))
            let others = found.indices.filter { $0 != index }.flatMap { found[$0].take.responses }
            guard own.isDisjoint(with: others.map(\.loudspeaker)) else { continue }
            found[index].faults.append(.startedApart(seconds: arrival - usual))
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
        let order = found.indices.sorted { abs(found[$0].yaw) < abs(found[$1].yaw) }
        for (place, index) in order.enumerated() {
            for reference in order[..<place] {
                let responses = found[reference].take.responses
                guard let delay = LookAlignment.delay(of: found[index].take.responses, after: responses) else {
                    continue
                }
                let rate = responses[0].sampleRate
                guard isFree || abs(delay) > ownMovement * rate else { break }
                for row in found[index].take.responses.indices {
                    found[index].take.responses[row].origin -= Int(delay.rounded())
                }
                break
            }
        }
    }
}
