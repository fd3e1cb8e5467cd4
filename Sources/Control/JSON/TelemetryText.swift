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

    /// `{"meters":{...}}`, with the fields of `TelemetryField.byName`.
    var metersLine: String {
        var (text, separator) = ("", "{\"meters\":{\"")
        for field in TelemetryField.byName {
            guard let value = field.value(self) else { continue }
            text += separator
            text += field.name
            text += "\":"
            text += Self.text(value)
            separator = ",\""
        }
        return text + "}}"
    }

    private static func text(_ value: TelemetryField.Value) -> String {
        switch value {
        case .number(let number): text(number)
        case .count(let count): String(count)
        case .truth(let truth): String(truth)
        case .word(let word): JSONValue.text(word).line
        case .numbers(let numbers): "[\(numbers.map { text($0) }.joined(separator: ","))]"
        case .talkers(let talkers): "[\(talkers.map { text($0) }.joined(separator: ","))]"
        }
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
}
