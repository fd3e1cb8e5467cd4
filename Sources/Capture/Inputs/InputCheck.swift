import Geometry
import Signal
import Soundstage

/// Levels of an array's inputs, and the tests of whether the inputs are those that the array describes: silence,
/// clipping, order and polarity of the capsules, scale of a sound field. Must not be used on the audio thread.
package struct InputCheck: Sendable {
    /// Age beyond which the device's orientation counts as unknown, seconds.
    private static let oldestTurn = 0.5
    /// Orientation of the device and its time, seconds, for the test of the capsules' order; nil if unknown.
    private var turn: (deviceToWorld: Quaternion, seconds: Double)?

    private let names: [String]
    /// Whether the inputs are a sound field.
    private let isField: Bool
    private var meter: InputMeter
    private var order: CapsuleOrder?
    private var turnedOrder: TurnedOrder?
    private var scale: FieldScale?

    /// Creates the tests that apply to an array.
    init(_ array: MicrophoneArray, sampleRate: SampleRate) {
        names = array.channelNames
        meter = InputMeter(channels: array.channelCount, sampleRate: sampleRate)
        order = CapsuleOrder(array, sampleRate: sampleRate)
        turnedOrder = TurnedOrder(array, sampleRate: sampleRate)
        if case .field(let format) = array.kind {
            isField = true
            scale = FieldScale(format.convention, sampleRate: sampleRate)
        } else {
            isField = false
        }
    }

    /// Levels, `[input]`.
    package var levels: [InputMeter.Level] { meter.levels }

    /// Analyses `frames` frames of each input.
    mutating func process(_ block: borrowing PlanarBlock, frames: Int) {
        meter.process(block, frames: frames)
        if let turn {
            turnedOrder?.process(block, frames: frames, deviceToWorld: turn.deviceToWorld)
        }
        order?.process(block, frames: frames)
        scale?.process(block, frames: frames)
    }

    /// Stores the orientation of the device at a time, seconds. It applies to the frames that follow.
    mutating func note(deviceToWorld: Quaternion, at seconds: Double) { turn = (deviceToWorld, seconds) }

    /// Forgets an orientation that is too old. `now`: time of the same clock, seconds.
    mutating func forgetTurn(now: Double) {
        if let turn, now - turn.seconds > Self.oldestTurn { self.turn = nil }
    }

    /// Faults of the inputs found so far.
    var faults: [InputFault] {
        var found = meter.faults(names)
        if isField {
            // A field may be silent along an axis. Only a silent W is a fault.
            found.removeAll { fault in
                if case .silent(let name) = fault { name != names[0] } else { false }
            }
        }
        // Silent inputs invalidate the other tests.
        let isWhole = found.allSatisfy { if case .clipped = $0 { true } else { false } }
        if isWhole, let fault = turnedOrder?.fault ?? order?.fault { found.append(fault) }
        if isWhole, let fault = scale?.fault { found.append(fault) }
        return found
    }
}
