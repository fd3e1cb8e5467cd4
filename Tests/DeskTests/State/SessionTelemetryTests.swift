import Desk
import StoredProperties
import Testing

/// The table of telemetry.
@Suite struct SessionTelemetryTests {
    @Test func `Each property of a sample has one row with its name`() {
        #expect(TelemetryField.byName.map(\.name) == StoredProperties.names(of: SessionTelemetry()).sorted())
    }

    @Test func `Each OSC message has its neighbouring rows, the pose first`() {
        let messages = TelemetryField.messages.map { ($0.address, $0.fields.map(\.name), $0.isPose) }
        let expected = [
            ("pose", ["yaw", "pitch", "roll"], true), ("meters/ears", ["ears"], false),
            ("meters/inputs", ["inputs"], false), ("meters/reduction", ["reduction"], false),
            ("meters/loudness", ["momentary", "shortTerm"], false), ("meters/load", ["load"], false),
            ("meters/talkers", ["talkers"], false),
        ]
        #expect(messages.elementsEqual(expected) { $0 == $1 })
    }
}
