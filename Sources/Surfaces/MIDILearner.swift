/// Identifies the next control that is moved, and its kind, to bind it to the address of a parameter.
///
/// The first message identifies a note, a program or a pitch wheel. A controller is observed for a short time. This
/// shows whether a second controller with the fine half of a fourteen-bit position follows, and whether the control is
/// an endless knob, which sends steps and not a position (`RelativeEncoding.init(observed:)`).
package struct MIDILearner: Sendable {
    /// Time for which a controller is observed after its first message, seconds.
    package static let watch = 0.6
    /// Number of messages after which a controller is identified early.
    static let enough = 12

    private let address: String
    private var controller: (number: UInt8, channel: UInt8, since: Double)?
    private var values: [UInt8] = []
    private var isPair = false
    private var isDone = false

    /// Creates a learner for one address.
    package init(_ address: String) { self.address = address }

    /// Processes a message of the device. Returns the binding when the control is identified.
    package mutating func receive(_ message: MIDIMessage, at now: Double) -> SurfaceBinding? {
        guard !isDone else { return nil }
        if let known = settle(at: now) { return known }
        switch message {
        case .noteOn(let channel, let note, _) where controller == nil:
            return done(SurfaceControl(.note(note), channel: channel))
        case .program(let channel, let number) where controller == nil:
            return done(SurfaceControl(.program(number), channel: channel))
        case .pitchBend(let channel, _) where controller == nil:
            return done(SurfaceControl(.bend, channel: channel))
        // Channel mode messages, which keyboards send by themselves, are not controls.
        case .controller(let channel, let number, let value) where number < 120:
            guard let controller else {
                self.controller = (number, channel, now)
                values = [value]
                return nil
            }
            guard channel == controller.channel else { return nil }
            if number == controller.number { values.append(value) }
            if controller.number < 32, number == controller.number + 32 { isPair = true }
            // Some devices send the fine half first.
            if controller.number >= 32, controller.number < 64, number == controller.number - 32 {
                self.controller = (number, channel, controller.since)
                (values, isPair) = ([value], true)
            }
            return values.count >= Self.enough ? finish() : nil
        default: return nil
        }
    }

    /// Returns the binding when the controller has been observed long enough; nil before.
    package mutating func settle(at now: Double) -> SurfaceBinding? {
        guard !isDone, let controller, now >= controller.since + Self.watch else { return nil }
        return finish()
    }

    /// Time at which `settle` may return a binding, seconds; nil if no controller is observed.
    package var next: Double? { isDone ? nil : controller.map { $0.since + Self.watch } }

    private mutating func finish() -> SurfaceBinding? {
        guard let controller else { return nil }
        if isPair { return done(SurfaceControl(.pair(controller.number), channel: controller.channel)) }
        return done(
            SurfaceControl(.controller(controller.number), channel: controller.channel),
            RelativeEncoding(observed: values))
    }

    private mutating func done(_ control: SurfaceControl, _ relative: RelativeEncoding? = nil) -> SurfaceBinding {
        isDone = true
        return SurfaceBinding(control, address, relative: relative)
    }
}
