/// Law of an upmix: the property that stays the same. An upmix can keep only one law.
package enum UpmixMode: String, CaseIterable, Hashable, Sendable {
    /// The ITU downmix of the upmix, before the decorrelators, is the input, sample for sample.
    case identity
    /// All channels together have the input's power, averaged over half a second.
    case energy
    /// The input is Lt/Rt, in which a 5-2-5 or 7-2-7 matrix has encoded more channels, and is decoded. If the matrix
    /// encodes the output again, the result is the input, sample for sample.
    case matrix
}

/// Look-ahead of an upmix.
package enum UpmixLatency: String, CaseIterable, Hashable, Sendable {
    /// 43 ms at 48 kHz: linear-phase masks with the full resolution of the analysis. For players.
    case player
    /// 2 ms at 48 kHz: masks of past sound with little look-ahead. For monitoring.
    case live
}

/// Treatment of a mono programme.
package enum MonoPlacement: String, CaseIterable, Hashable, Sendable {
    /// The whole signal is placed in the centre.
    case centre
    /// Two decorrelated copies make a stereo programme, which is then upmixed.
    case wide
}

/// Amounts of an upmix that may change while it plays. Changes are smoothed.
package struct UpmixControls: BitwiseCopyable, Codable, Hashable, Sendable {
    /// Share of the sound found in the middle that moves to the centre loudspeaker, 0…1. The rest stays a phantom
    /// source.
    package var centre: Float
    /// Width, 0…1. At 1, half of the amplitude left in the front pair moves to the wides, or to the surrounds without
    /// wides.
    package var width: Float
    /// Share of the sound found without a direction that moves to the surrounds, 0…1. Without a matrix, 1 stands for an
    /// amplitude of 0.96 (`StereoUpmixer.ambienceLimit`).
    package var ambience: Float

    /// Fault of amounts that were read from a motion log; nil if there is none.
    var flaw: String? {
        let areShares = [centre, width, ambience].allSatisfy { (0...1).contains($0) }
        return areShares ? nil : "the amounts of an upmix are numbers 0 to 1"
    }

    /// Makes amounts. They are limited to 0…1; NaN is replaced by the default.
    package init(centre: Float = 1, width: Float = 0, ambience: Float = 1) {
        func clamp(_ value: Float, _ standard: Float) -> Float { value.isNaN ? standard : max(0, min(1, value)) }
        self.centre = clamp(centre, 1)
        self.width = clamp(width, 0)
        self.ambience = clamp(ambience, 1)
    }
}

/// Reason why an upmix cannot be made, worded for the user.
package enum UpmixError: Error, Equatable, CustomStringConvertible {
    /// The layout lacks a front pair, a centre or a pair of surrounds.
    case noStage(layout: String)

    /// Message with the fault and its remedy.
    package var description: String {
        switch self {
        case .noStage(let layout):
            "stereo cannot be upmixed to layout \(layout): an upmix needs FL, FR, FC, and SL, SR or BL, BR; choose "
                + "5.1, 7.1, 5.1.2, 5.1.4, 7.1.2, 7.1.4 or 9.1.6"
        }
    }
}

/// Settings of the upmix of a programme's stereo rendition.
package struct UpmixPlan: Hashable, Sendable {
    /// Law of the upmix.
    package var mode: UpmixMode
    /// Look-ahead.
    package var latency: UpmixLatency
    /// Treatment of a mono input.
    package var mono: MonoPlacement

    /// Makes a plan.
    package init(mode: UpmixMode = .identity, latency: UpmixLatency = .live, mono: MonoPlacement = .centre) {
        self.mode = mode
        self.latency = latency
        self.mono = mono
    }
}

/// Whether stereo is upmixed to the stage, and the amounts.
package struct UpmixState: BitwiseCopyable, Codable, Hashable, Sendable {
    /// Whether the upmix is heard, if there is one. Otherwise the two channels play on two loudspeakers.
    package var isOn = true
    /// Amounts of the upmix.
    package var amounts = UpmixControls()

    /// Makes the default state: on, with the default amounts.
    package init() {}
}
