import Testing

@testable import AudioIO

@Suite struct StandingConnectionsTests {
    private let left = JACKLink(from: "stage:out_L", to: "card:1")
    private let right = JACKLink(from: "stage:out_R", to: "card:2")
    private let other = JACKLink(from: "stage:out_L", to: "loudspeaker:1")

    @Test func whatHasJustBeenConnectedIsWanted() {
        var standing = StandingConnections()
        standing.see([left, right], at: 10)
        #expect(standing.present == [left, right])
        #expect(standing.wanted(at: 10.01) == [left, right])
    }

    @Test func aDyingServerTakesNothingAway() {
        var standing = StandingConnections()
        standing.see([left, right], at: 0)
        standing.see([right], at: 10)
        standing.see([], at: 10.01)
        #expect(standing.present.isEmpty)
        #expect(Set(standing.wanted(at: 10.02)) == [left, right])
    }

    @Test func whatSomebodyTookAwayIsNotWanted() {
        var standing = StandingConnections()
        standing.see([left, right], at: 0)
        standing.see([right], at: 10)
        #expect(standing.wanted(at: 10 + StandingConnections.grace + 0.01) == [right])
        standing.see([], at: 20)
        #expect(standing.wanted(at: 20) == [right])
    }

    @Test func aServerThatMakesConnectionsLives() {
        var standing = StandingConnections()
        standing.see([left, right], at: 0)
        // A connection moves from one port to another, within one check and across two.
        standing.see([other, right], at: 10)
        #expect(standing.wanted(at: 10) == [other, right])
        standing.see([right], at: 10.1)
        standing.see([left, right], at: 10.2)
        #expect(standing.wanted(at: 10.2) == [left, right])
    }
}
