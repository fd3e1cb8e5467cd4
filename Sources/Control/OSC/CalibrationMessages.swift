import OSC
import Session

/// The wire format of what can be asked of the calibration of a tracker's mounting.
///
/// | address | arguments | does |
/// |---|---|---|
/// | `/proscenium/calibrate/start` | none or a button, or `s` `head` or `device`, then, if wanted, `f` seconds for each movement | begins one |
/// | `/proscenium/calibrate/step` | none or a button | begins the movement that is due |
/// | `/proscenium/calibrate/accept` | none or a button | takes what was found into use and remembers it |
/// | `/proscenium/calibrate/cancel` | none or a button | ends it; the tracker sits as before |
///
/// How it stands is told as facts of the state: `calibration/of`, `step`, `phase` and so on (`TrackerCalibration`).
enum CalibrationMessages {
    /// The commands there are.
    static let commands = [
        ControlWord(
            "calibrate/start",
            .perhaps(
                "'head' or 'device', then, if wanted, \(range.lowerBound) to \(range.upperBound) seconds a movement"),
            "begins to find out how the head's tracker sits, or the `device`'s; seconds a movement, if wanted"),
        ControlWord("calibrate/step", "begins the movement that is due"),
        ControlWord("calibrate/accept", "takes the mounting that was found into use and remembers it"),
        ControlWord("calibrate/cancel", "ends the calibration; the tracker sits as before"),
    ]
    private static let range = CalibrationCommand.seconds
    private static let root = ControlWire.prefix + "calibrate/"

    /// The command a message asks for; nil where its address says nothing about calibration.
    static func command(from message: OSCMessage) -> Result<SessionCommand, ControlWire.Unusable>? {
        switch message.address {
        case root + "start": start(message.arguments).map { .calibration($0) }
        case root + "step": .success(.calibration(.step))
        case root + "accept": .success(.calibration(.accept))
        case root + "cancel": .success(.calibration(.cancel))
        default: nil
        }
    }

    /// The message that asks for a command.
    static func message(for command: CalibrationCommand) -> OSCMessage {
        switch command {
        case .start(let body, let seconds): OSCMessage(root + "start", [.string(body.rawValue), .double(seconds)])
        case .step: OSCMessage(root + "step")
        case .accept: OSCMessage(root + "accept")
        case .cancel: OSCMessage(root + "cancel")
        }
    }

    private static func start(_ arguments: [OSCArgument]) -> Result<CalibrationCommand, ControlWire.Unusable> {
        let refusal = ControlWord.unusable(root + "start")
        guard arguments.count <= 2 else { return .failure(refusal) }
        var (body, seconds) = (TrackedBody.head, CalibrationCommand.usualSeconds)
        if let said = arguments.first {
            guard case .string(let word) = said, let named = TrackedBody(rawValue: word) else {
                return .failure(refusal)
            }
            body = named
        }
        if arguments.count == 2 {
            guard let number = arguments[1].number, CalibrationCommand.seconds.contains(number) else {
                return .failure(refusal)
            }
            seconds = number
        }
        return .success(.start(body, seconds: seconds))
    }
}
