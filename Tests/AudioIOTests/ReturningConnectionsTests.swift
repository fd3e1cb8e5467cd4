import AudioIO
import Testing

@Suite struct ReturningConnectionsTests {
    private let left = JACKLink(from: "stage:out_L", to: "card:1")
    private let right = JACKLink(from: "stage:out_R", to: "card:2")

    /// Returns the connections that are due while these ports are present.
    private func due(
        _ returning: inout ReturningConnections, present: [JACKLink] = [], at time: Double, ports: Set<String>? = nil
    ) -> [JACKLink] {
        returning.due(present: present, at: time) { ports?.contains($0) ?? true }
    }

    @Test func `Each is made when both its ports are there`() {
        var returning = ReturningConnections([left, right], areSetUp: true)
        #expect(due(&returning, at: 0, ports: ["stage:out_L", "stage:out_R", "card:1"]) == [left])
        #expect(due(&returning, present: [left], at: 0.5, ports: ["stage:out_L", "stage:out_R", "card:1"]) == [])
        #expect(due(&returning, present: [left], at: 100) == [right])
        #expect(returning.links == [right])
    }

    @Test func `What goes at once is made again, what has stood is left alone`() {
        var returning = ReturningConnections([left], areSetUp: true)
        #expect(due(&returning, at: 0) == [left])
        #expect(due(&returning, present: [left], at: 0.5) == [])
        #expect(due(&returning, at: 1, ports: ["stage:out_L"]) == [])
        #expect(due(&returning, at: 1.5) == [left])
        #expect(due(&returning, present: [left], at: 0.5 + ReturningConnections.settling + 0.1) == [])
        #expect(returning.isEmpty && due(&returning, at: 10) == [])
    }

    @Test func `Where nothing is set up each is made once`() {
        var returning = ReturningConnections([left], areSetUp: false)
        #expect(due(&returning, at: 0) == [left])
        #expect(due(&returning, present: [left], at: 0.5) == [])
        #expect(due(&returning, at: 1) == [])
    }

    @Test func `What is refused for some seconds is given up`() {
        var returning = ReturningConnections([left, right], areSetUp: true)
        #expect(due(&returning, at: 0) == [left, right])
        returning.refuse([left], at: 0)
        #expect(due(&returning, at: 1) == [left, right])
        returning.refuse([left], at: 1)
        #expect(due(&returning, present: [right], at: ReturningConnections.settling + 0.1) == [])
        #expect(returning.links == [right])
    }
}
