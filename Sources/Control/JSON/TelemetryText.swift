import Desk
import Gate
import Loading
import Stages

/// Telemetry as JSON. Telemetry is most of the traffic; writing it without an encoder saves processor time.
extension SessionTelemetry {
    /// `{"heardAt":SECONDS,"pose":[YAW,PITCH,ROLL]}`, angles in degrees.
    var poseLine: String {
        "{\"heardAt\":\(Self.text(heardAt)),\"pose\":[\(Self.text(yaw)),\(Self.text(pitch)),\(Self.text(roll))]}"
    }

    /// `{"meters":{...}}`, with all values by name.
    var metersLine: String {
        var text = "{\"meters\":{\"ears\":\(Self.text(ears)),\"hasClipped\":\(hasClipped)"
        text += ",\"heardAt\":\(Self.text(heardAt))"
        text += ",\"inputs\":\(Self.text(inputs)),\"load\":\(Self.text(load)),\"mode\":\(JSONValue.text(mode).line)"
        text += ",\"momentary\":\(Self.text(momentary)),\"pitch\":\(Self.text(pitch))"
        text += ",\"reduction\":\(Self.text(reduction))"
        text += ",\"roll\":\(Self.text(roll)),\"shortTerm\":\(Self.text(shortTerm)),\"skipped\":\(skipped)"
        if let talkers {
            text += ",\"talkers\":[\(talkers.map { Self.text($0) }.joined(separator: ","))]"
        }
        if let trackerAge { text += ",\"trackerAge\":\(Self.text(trackerAge))" }
        if let trackerRate { text += ",\"trackerRate\":\(Self.text(trackerRate))" }
        return text + ",\"xruns\":\(xruns),\"yaw\":\(Self.text(yaw))}}"
    }

    /// Returns a number as text. Integers have no decimal point. Infinities and NaN become strings, because JSON has no
    /// such numbers.
    private static func text(_ number: Double) -> String {
        if let whole = Int32(exactly: number) { return String(whole) }
        return number.isFinite ? number.description : "\"\(number.isNaN ? "nan" : number > 0 ? "inf" : "-inf")\""
    }

    private static func text(_ talker: TalkerStatus) -> String {
        "{\"azimuth\":\(text(talker.azimuth)),\"elevation\":\(text(talker.elevation)),\"presence\":\(text(talker.presence))}"
    }

    private static func text(_ numbers: [Double]) -> String { "[\(numbers.map(text).joined(separator: ","))]" }
}
