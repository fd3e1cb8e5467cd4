import AudioIO
import Rendering
import Signal
import Soundstage

/// Settings of a session's monitor section. They belong to the listener, and stay in force when the stage or the JACK
/// server is replaced.
package struct MonitorSettings: Sendable, Hashable {
    /// Settings of the virtual loudspeakers with one name, in all inputs.
    package struct Switches: Sendable, Hashable {
        /// Whether they are muted.
        package var isMuted = false
        /// Whether they are soloed.
        package var isSolo = false
        /// Whether their polarity is inverted.
        package var isInverted = false

        /// Creates default settings.
        package init() {}
    }
    /// Settings by the loudspeaker's name; a missing name has the defaults.
    package var loudspeakers: [String: Switches] = [:]
    /// Whether a new solo of an input ends the solos of other inputs, and likewise for loudspeakers.
    package var isSoloExclusive = false
    /// Gain of the binaural output, dB.
    package var level = 0.0
    /// Whether the binaural output is dimmed, and its gain while it is dimmed, dB.
    package var isDimmed = false, dimLevel = MonitorSettings.usualDim
    /// Whether the binaural output is muted.
    package var isMuted = false
    /// Whether both ears get the mean of the two ears' signals.
    package var isMono = false

    /// Gain in addition to `level` while the listener looks away for long, dB; nil for no change.
    package var awayLevel: Double?
    /// Angle from the front beyond which the listener counts as looking away, degrees, and time for which the head must
    /// stay beyond this angle, seconds.
    package var awayAngle = 60.0, awayDelay = 10.0
    /// Whether the listener has been looking away for longer than `awayDelay`.
    package var isAway = false

    /// Inputs of the session that bypass the stage.
    package var inputs: MonitorInputs = []
    /// Whether the reference plays instead of the stage, and the gain of the reference, dB.
    package var hearsReference = false, referenceTrim = 0.0
    /// Whether talkback is on; gain of the talkback, dB; and gain of all other sound during talkback, dB.
    package var isTalking = false, talkbackLevel = 0.0, talkbackDim = MonitorSettings.usualDim

    /// Sound level of test noise measured with `level` 0, dB SPL; nil until it was measured.
    package var calibratedLevel: Double?
    /// The loudspeaker that plays test noise; nil for none.
    package var noise: String?
    /// The layout that the stage is folded down to; nil without a fold-down.
    package var foldDown: String?
    /// Version that is heard in a comparison; nil without a comparison.
    package var comparison: Comparison?
    /// Mode of each input before a comparison, by the input's name.
    package var modes: [String: StageMode] = [:]

    /// Creates default settings.
    package init() {}

    /// Versions of the stage to compare at the same loudness.
    package enum Comparison: String, Sendable, CaseIterable {
        /// The two channels of the fold-down, without a stage.
        case bypass
        /// A stage fixed to the head.
        case fixed
        /// A stage fixed in space.
        case tracked

        /// The version as a stage mode.
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
    /// Range of `level`, dB.
    package static let levels = -120.0...20

    /// Sets `level` so that test noise has the sound level `reference`, dB SPL. Returns the reason for a refusal,
    /// otherwise nil.
    package mutating func setReference(_ reference: Double) -> String? {
        guard let calibratedLevel else {
            return
                "it is not known how loud the loudspeakers are: play test-noise at monitor-level 0, measure it, and set "
                + "calibrated-level to what you read"
        }
        let wanted = Self.rounded(reference - calibratedLevel)
        guard Self.levels.contains(wanted) else {
            return "\(reference) dB SPL would need a monitor-level of \(wanted) dB, beyond its "
                + "range of \(Int(Self.levels.lowerBound)) to \(Int(Self.levels.upperBound))"
        }
        level = wanted
        return nil
    }

    /// Sound level of test noise at the present `level`, dB SPL; nil before it was measured.
    package var reference: Double? { calibratedLevel.map { Self.rounded($0 + level) } }

    /// Rounds to 1e-9, so that a value read back equals the value set.
    private static func rounded(_ level: Double) -> Double { (level * 1e9).rounded() / 1e9 }

    /// Default dim level, dB.
    package static let usualDim = -20.0

    /// Linear gain of the binaural output without `awayGain`; exactly 1 at the default settings.
    package var gain: Float { isMuted ? 0 : Self.amplitude(levelInAll) }

    /// Linear gain for a listener who looks away; exactly 1 otherwise.
    package var awayGain: Float { isAway ? Self.amplitude(awayLevel ?? 0) : 1 }

    /// Gain of the binaural output, dB, including dim and the dim during talkback, without mute and `awayGain`.
    package var levelInAll: Double { level + (isDimmed ? dimLevel : 0) + (isTalking ? talkbackDim : 0) }

    /// Linear gain of the reference.
    package var referenceGain: Float { Self.amplitude(referenceTrim) }
    /// Linear gain of the talkback: 0 while it is off.
    package var talkbackGain: Float { isTalking ? Self.amplitude(talkbackLevel) : 0 }

    private static func amplitude(_ level: Double) -> Float { level == 0 ? 1 : Float(Decibels(level).amplitude) }

    /// Sets the inputs that bypass the stage. Switches off the reference or the talkback if its input is removed.
    package mutating func have(_ inputs: MonitorInputs) {
        self.inputs = inputs
        if !inputs.contains(.reference) { hearsReference = false }
        if !inputs.contains(.talkback) { isTalking = false }
    }

    /// Switches talkback on or off. Returns the reason if it cannot be switched on, because there is no talkback input;
    /// otherwise nil.
    package mutating func talk(_ isOn: Bool) -> String? {
        guard !isOn || inputs.contains(.talkback) else { return Self.missing("talkback-input", "talkback") }
        isTalking = isOn
        return nil
    }
    /// Switches between reference and stage. Returns the reason if the reference is refused, because there is no
    /// reference input; otherwise nil.
    package mutating func hear(reference isOn: Bool) -> String? {
        guard !isOn || inputs.contains(.reference) else { return Self.missing("reference-input", "ref_L and ref_R") }
        hearsReference = isOn
        return nil
    }

    private static func missing(_ row: String, _ ports: String) -> String {
        "there is no source: set \(row) on, and connect a source to \(ports)"
    }

    /// Sets the controls of a stage with these loudspeakers, source by source. Test noise and fold-down have methods of
    /// their own in `MonitorRenderer`. A test checks that no control is missing here.
    package func apply(to controls: inout MonitorControls, of names: [String]) {
        for (source, gain) in gains(of: names).prefix(StageConfiguration.maximumSources).enumerated() {
            controls.loudspeakers[source] = gain
        }
        (controls.level, controls.isMono) = (gain, isMono)
        (controls.hearsReference, controls.referenceGain) = (hearsReference, referenceGain)
        (controls.talkbackGain, controls.awayGain) = (talkbackGain, awayGain)
    }

    /// Returns the gains of a stage's loudspeakers, each 1, 0 or −1. A solo of a loudspeaker that is not on the stage
    /// mutes nothing.
    package func gains(of names: [String]) -> [Float] {
        let hasSolo = names.contains { loudspeakers[$0]?.isSolo == true }
        return names.map { name in
            let switches = loudspeakers[name] ?? Switches()
            if switches.isMuted || hasSolo && !switches.isSolo { return 0 }
            return switches.isInverted ? -1 : 1
        }
    }
}
