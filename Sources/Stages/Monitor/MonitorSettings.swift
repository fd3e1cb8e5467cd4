import AudioIO
import Signal
import Soundstage

/// What is asked of a session's monitor section: what an engineer listens to, and how loud. It belongs to the listener,
/// so it outlives stages and servers.
package struct MonitorSettings: Sendable, Hashable {
    /// What is asked of one virtual loudspeaker, of all inputs that have one of its name.
    package struct Switches: Sendable, Hashable {
        /// Whether it is silent.
        package var isMuted = false
        /// Whether it is heard alone, with the others that are.
        package var isSolo = false
        /// Whether its polarity is turned over.
        package var isInverted = false

        /// As at first.
        package init() {}
    }
    /// By the loudspeaker's name; as at first where there is none.
    package var loudspeakers: [String: Switches] = [:]
    /// Whether a solo ends those before it, of its own kind.
    package var isSoloExclusive = false
    /// Level of the ears, dB.
    package var level = 0.0
    /// Whether they are turned down further, and by what, dB.
    package var isDimmed = false, dimLevel = MonitorSettings.usualDim
    /// Whether the ears are silent.
    package var isMuted = false
    /// Whether both ears get the mean of the two.
    package var isMono = false

    /// The inputs past the stage that the session has.
    package var inputs: MonitorInputs = []
    /// Whether the reference is heard instead of the stage, and by what it is made louder, dB.
    package var hearsReference = false, referenceTrim = 0.0
    /// Whether talkback is on, how loud it is, and by what all else is turned down meanwhile, dB.
    package var isTalking = false, talkbackLevel = 0.0, talkbackDim = MonitorSettings.usualDim

    /// Sound level that test noise was measured at with `level` 0, dB SPL; nil until it was measured.
    package var calibratedLevel: Double?
    /// The loudspeaker that plays test noise; nil for none.
    package var noise: String?
    /// The layout that the stage is folded down to; nil for none.
    package var foldDown: String?
    /// How the stage is heard while it is compared, and how each input was before; nil while it is not.
    package var comparison: Comparison?
    /// How each input was before a comparison, by name.
    package var modes: [String: StageMode] = [:]

    /// Nothing is asked for.
    package init() {}

    /// A stage that is compared with others at the same loudness.
    package enum Comparison: String, Sendable, CaseIterable {
        /// The two channels of the fold-down, without a stage.
        case bypass
        /// A stage that hangs from the head.
        case fixed
        /// A stage that stands still.
        case tracked

        /// The same as a mode.
        package var mode: StageMode {
            switch self {
            case .bypass: .off
            case .fixed: .fixed
            case .tracked: .tracked
            }
        }
    }

    /// Layouts that the stage can be folded down to.
    package static let foldDowns = ["7.1", "5.1", "stereo", "mono"]
    /// What `level` may be, dB.
    package static let levels = -120.0...20

    /// Sets the level at which test noise is as loud as said; a reason where it cannot.
    package mutating func setReference(_ reference: Double) -> String? {
        guard let calibratedLevel else {
            return
                "it is not known how loud the loudspeakers are: play test-noise at monitor-level 0, measure it, and set "
                + "calibrated-level to what you read"
        }
        guard Self.levels.contains(reference - calibratedLevel) else {
            return "\(reference) dB SPL would need a monitor-level of \(reference - calibratedLevel) dB, beyond its "
                + "range of \(Int(Self.levels.lowerBound)) to \(Int(Self.levels.upperBound))"
        }
        level = Self.rounded(reference - calibratedLevel)
        return nil
    }

    /// How loud test noise is now, dB SPL, as far as it was measured.
    package var reference: Double? { calibratedLevel.map { Self.rounded($0 + level) } }

    /// To a billionth: what was set is what is read.
    private static func rounded(_ level: Double) -> Double { (level * 1e9).rounded() / 1e9 }

    /// dB.
    package static let usualDim = -20.0

    /// Linear gain of the ears; exactly 1 where nothing is asked for.
    package var gain: Float { isMuted ? 0 : Self.amplitude(levelInAll) }

    /// Level of the ears, dB, with all that turns them down.
    package var levelInAll: Double { level + (isDimmed ? dimLevel : 0) + (isTalking ? talkbackDim : 0) }

    /// Linear gain of the reference, and of the talkback: 0 while it is off.
    package var referenceGain: Float { Self.amplitude(referenceTrim) }
    /// Linear gain of the talkback: 0 while it is off.
    package var talkbackGain: Float { isTalking ? Self.amplitude(talkbackLevel) : 0 }

    private static func amplitude(_ level: Double) -> Float { level == 0 ? 1 : Float(Decibels(level).amplitude) }

    /// Has inputs past the stage there or not; what cannot be heard any more is not.
    package mutating func have(_ inputs: MonitorInputs) {
        self.inputs = inputs
        if !inputs.contains(.reference) { hearsReference = false }
        if !inputs.contains(.talkback) { isTalking = false }
    }

    /// Turns the talkback on or off, or the reference; a reason where there is no input for it.
    package mutating func talk(_ isOn: Bool) -> String? {
        guard !isOn || inputs.contains(.talkback) else { return Self.missing("talkback-input", "talkback") }
        isTalking = isOn
        return nil
    }
    /// Has the reference heard instead of the stage, or not; a reason where there is no input for it.
    package mutating func hear(reference isOn: Bool) -> String? {
        guard !isOn || inputs.contains(.reference) else { return Self.missing("reference-input", "ref_L and ref_R") }
        hearsReference = isOn
        return nil
    }

    private static func missing(_ row: String, _ ports: String) -> String {
        "there is nothing to hear: set \(row) on, and connect what is to be heard to \(ports)"
    }

    /// The gains of a stage's loudspeakers, each 1, 0 or −1. A solo of one that it does not have silences nothing.
    package func gains(of names: [String]) -> [Float] {
        let hasSolo = names.contains { loudspeakers[$0]?.isSolo == true }
        return names.map { name in
            let switches = loudspeakers[name] ?? Switches()
            if switches.isMuted || hasSolo && !switches.isSolo { return 0 }
            return switches.isInverted ? -1 : 1
        }
    }
}
