import Geometry
import Soundstage
import Sweeps

/// A measured take with its file and the yaw of its look.
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

    /// Adds the faults that all takes together show: exchanged ears, and loudspeakers in each other's place.
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

    /// Differences of time between takes that a head's own movement may cause, seconds.
    private static let ownMovement = 0.0005

    /// Brings the takes to one origin of time, that of the look nearest to the front with a loudspeaker in common.
    ///
    /// - Parameter isFree: whether the recorder began at any time; else only differences count that no head causes.
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
