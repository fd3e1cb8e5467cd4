import Desk
import StoredProperties
import Testing

/// The table of telemetry.
@Suite struct SessionTelemetryTests {
    @Test func `Each property of a sample has one row with its name`() {
        #expect(TelemetryField.byName.map(\.name) == StoredProperties.names(of: SessionTelemetry()).sorted())
    }

    @Test func `Each OSC message has its neighbouring rows, the pose first`() {
        let messages = TelemetryField.messages.map { ($0.address, $0.fields.map(\.name)) }
        let expected = [
            ("pose", ["yaw", "pitch", "roll"]), ("meters/ears", ["ears"]), ("meters/inputs", ["inputs"]),
            ("meters/reduction", ["reduction"]), ("meters/loudness", ["momentary", "shortTerm"]),
            ("meters/load", ["load"]), ("meters/talkers", ["talkers"]),
        ]
        #expect(messages.elementsEqual(expected) { $0 == $1 })
    }
}
