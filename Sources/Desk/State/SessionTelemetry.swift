import Geometry
import Stages

/// Meters and pose of a playing session, separate from its state: the values of `TelemetryField.all`, whose rows state
/// meaning and unit. A slow reader misses some samples; later samples replace them.
package struct SessionTelemetry: Sendable {
    /// Angles of the head relative to the stage at `heardAt`, degrees.
    package var yaw = 0.0, pitch = 0.0, roll = 0.0
    /// Time at which the newest sound is heard, monotonic, seconds; 0 during a blind comparison.
    package var heardAt = 0.0
    /// Peak levels of the input channels and of the ears, dBFS; empty during a blind comparison.
    package var inputs: [Double] = [], ears: [Double] = []
    /// Whether a sample exceeded full scale since the session began.
    package var hasClipped = false
    /// Loudness of the ears, LUFS; −200 before the first reading.
    package var momentary = -200.0, shortTerm = -200.0
    package var reduction = 0.0, load = 0.0, xruns = 0, skipped = 0
    /// Mode as in `SessionStatus`; rate and age of the tracker's samples, nil without a tracker.
    package var mode = "static", trackerRate: Double?, trackerAge: Double?
    /// Talkers of an Audio Mix; nil if no Audio Mix plays.
    package var talkers: [TalkerStatus]?

    /// Creates telemetry at rest.
    package init() {}

    /// Sets the angles of the head relative to the stage, rounded to a millionth of a degree.
    package mutating func point(to headToStage: Quaternion) {
        yaw = ParameterValue.degrees(headToStage.yaw)
        pitch = ParameterValue.degrees(headToStage.pitch)
        roll = ParameterValue.degrees(headToStage.roll)
    }
}

/// One value of the telemetry: its name in JSON, its OSC message, its unit, and how it is read from a sample. The JSON
/// text, the OSC messages and the table of `Documentation/reference/control.md` are made from `all`.
package struct TelemetryField: Sendable {
    /// A value in a form that the control interfaces send.
    package enum Value: Sendable {
        case number(Double), count(Int), truth(Bool), word(String), numbers([Double]), talkers([TalkerStatus])
    }

    /// Name in JSON: a key of the object `meters`.
    package let name: String
    private let unit: String, message: String?, help: String
    /// Returns the value in a sample; nil if the sample has none. Does not copy arrays.
    package let value: @Sendable (SessionTelemetry) -> Value?

    /// Creates a row. `message`: address of its OSC message below `/proscenium/`. Rows of a message are adjacent.
    private init(
        _ name: String, _ unit: String, in message: String? = nil, _ help: String,
        value: @escaping @Sendable (SessionTelemetry) -> Value?
    ) {
        (self.name, self.unit, self.message, self.help, self.value) = (name, unit, message, help, value)
    }

    /// All fields, in the order of their OSC messages.
    package static let all: [TelemetryField] = [
        Self("yaw", "°", in: pose, "yaw of the head relative to the stage, positive to the left") { .number($0.yaw) },
        Self("pitch", "°", in: pose, "pitch of the head, positive up") { .number($0.pitch) },
        Self("roll", "°", in: pose, "roll of the head, positive with the right ear down") { .number($0.roll) },
        Self("ears", "dBFS", in: "meters/ears", "peak level of each ear, −200 for silence") { .numbers($0.ears) },
        Self("inputs", "dBFS", in: "meters/inputs", "peak level of each input channel") { .numbers($0.inputs) },
        Self("reduction", "dB", in: "meters/reduction", "gain of the output limiter, ≤ 0") { .number($0.reduction) },
        Self("momentary", "LUFS", in: "meters/loudness", "momentary loudness of the ears") { .number($0.momentary) },
        Self("shortTerm", "LUFS", in: "meters/loudness", "short-term loudness of the ears") { .number($0.shortTerm) },
        Self("load", "–", in: "meters/load", "share of the period that rendering took") { .number($0.load) },
        Self(
            "talkers", "–", in: "meters/talkers",
            "while an Audio Mix plays, for each talker: azimuth and elevation in degrees relative to the field's own "
                + "front (without its place), and presence, 0 to 1"
        ) { $0.talkers.map(Value.talkers) },
        Self("hasClipped", "–", "whether a sample exceeded full scale before the limiter since the session began") {
            .truth($0.hasClipped)
        },
        Self("xruns", "–", "count of JACK's xruns") { .count($0.xruns) },
        Self("skipped", "frames", "count of frames that JACK skipped") { .count($0.skipped) },
        Self("mode", "–", "mode of head tracking, as in the status") { .word($0.mode) },
        Self("trackerRate", "Hz", "rate of the head tracker's samples") { $0.trackerRate.map(Value.number) },
        Self("trackerAge", "s", "age of the head tracker's newest sample") { $0.trackerAge.map(Value.number) },
        Self("heardAt", "s", "monotonic time at which the newest sound is heard") { .number($0.heardAt) },
    ]

    /// All fields, in the order of their names.
    package static let byName: [TelemetryField] = all.sorted { $0.name < $1.name }

    /// Address of the message that subscribers of the topic `pose` receive. Subscribers of `meters` receive the others.
    package static let pose = "pose"

    /// All OSC messages, in the order in which they are sent: address below `/proscenium/`, and the fields whose values
    /// are the arguments.
    package static let messages: [(address: String, fields: [TelemetryField])] = all.reduce(into: []) {
        guard let address = $1.message else { return }
        if $0.last?.address != address { $0.append((address, [])) }
        $0[$0.count - 1].fields.append($1)
    }

    /// The table in Markdown, for `Documentation/reference/control.md`.
    package static var page: String {
        let rows = all.map { field in
            let message = field.message.map { "`/proscenium/\($0)`" } ?? "–"
            return "| `\(field.name)` | \(message) | \(field.unit) | \(field.help) |"
        }
        return (["| in JSON | OSC message | unit | value |", "|---|---|---|---|"] + rows).joined(separator: "\n")
    }
}
