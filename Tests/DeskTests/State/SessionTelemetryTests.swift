import Desk
import StoredProperties
import Testing

/// The table of telemetry.
@Suite struct SessionTelemetryTests {
    @Test func `Each property of a sample has one row with its name`() {
        #expect(TelemetryField.byName.map(\.name) == StoredProperties.names(of: SessionTelemetry()).sorted())
    }
}
