import Testing

@testable import Inserts

@Suite struct InsertPlacesTests {
    @Test func `Every way to the ears is as late as all others, through an effect or past it`() {
        let places = InsertPlaces(
            programmes: [2, 1, 3, 1, 4], ways: [.loudspeakers, .loudspeakers, .effect, .effect, .field])
        var state: UInt64 = 7
        for _ in 0..<200 {
            let latencies = (0..<places.count).map { place -> Int in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return place < places.past ? Int(state >> 32) % 500 : 0
            }
            let waits = places.compensation(for: latencies)
            #expect(waits.allSatisfy { $0 >= 0 })
            let late = zip(latencies, waits).map { $0 + $1 }
            let total = places.total(for: latencies).beforeEars
            let (ordinary, effects) = (max(latencies[0], latencies[1]), max(latencies[2], latencies[3]))
            let loudspeakers = latencies[5..<12].max() ?? 0
            #expect(total == max(ordinary + effects + loudspeakers, latencies[4]))
            var loudspeaker = places.loudspeaker(0)
            for (index, channels) in places.programmes.enumerated() where places.ways[index] != .field {
                // An effect may receive any other programme, so these must have equal delays at the effect.
                let before = places.ways[index] == .effect ? [late[0], late[1]] : [0]
                for sent in before {
                    for channel in 0..<channels {
                        #expect(sent + late[index] + late[loudspeaker + channel] == total)
                    }
                    let past = places.ways[index] == .effect ? places.effectsPast : places.past
                    #expect(sent + late[index] + late[past] == total)
                }
                loudspeaker += channels
            }
            #expect(late[4] == total)
            #expect(waits[places.ears] == 0)
        }
    }

    @Test func `An effect's latency is waited for by the loudspeakers of the others`() {
        let places = InsertPlaces(programmes: [1, 1], ways: [.loudspeakers, .effect])
        var latencies = [Int](repeating: 0, count: places.count)
        (latencies[0], latencies[1]) = (10, 240)
        // Programme, effect, their loudspeakers, past, ears, past of effects.
        #expect(places.compensation(for: latencies) == [0, 0, 240, 0, 240, 0, 0])
        #expect(places.total(for: latencies) == InsertLatency(beforeEars: 250, afterEars: 0))
    }
}
