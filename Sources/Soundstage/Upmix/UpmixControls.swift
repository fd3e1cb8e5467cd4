/// Law that an upmix keeps; only one can hold at a time.
package enum UpmixMode: String, CaseIterable, Hashable, Sendable {
    /// The ITU downmix of the upmix (before the decorrelators) is the input, sample for sample.
    case identity
    /// The channels together have the input's power.
    case energy
    /// The input is Lt/Rt, a 5-2-5 or 7-2-7 matrix of more channels, and is decoded. Encoded again by the matrix, the
    /// channels equal the input, sample for sample.
    case matrix
}

/// Look-ahead of an upmix.
package enum UpmixLatency: String, CaseIterable, Hashable, Sendable {
    /// 43 ms at most: linear-phase masks with the full resolution of the analysis. For players.
    case player
    /// 2 ms at most: masks of past sound with little look-ahead. For monitoring.
    case live
}

/// Treatment of a mono programme.
package enum MonoPlacement: String, CaseIterable, Hashable, Sendable {
    /// The whole signal is placed in the centre.
    case centre
    /// Two decorrelated copies make a stereo programme, which is then upmixed.
    case wide
}

/// Amounts of an upmix that may change while it plays; changes are smoothed.
package struct UpmixControls: BitwiseCopyable, Hashable, Sendable {
    /// Share of the sound found in the middle that moves to the centre loudspeaker, 0…1; the rest stays a phantom.
    package var centre: Float
    /// Share of the sound left in the front pair that moves to the wides, or to the surrounds without wides, 0…1.
    package var width: Float
    /// Share of the sound found without a direction that moves to the surrounds, 0…1.
    package var ambience: Float

    /// Makes amounts, clamped to 0…1; NaN counts as the default.
    package init(centre: Float = 1, width: Float = 0, ambience: Float = 1) {
        func clamp(_ value: Float, _ standard: Float) -> Float { value.isNaN ? standard : max(0, min(1, value)) }
        self.centre = clamp(centre, 1)
        self.width = clamp(width, 0)
        self.ambience = clamp(ambience, 1)
    }
}

/// Reason why an upmix cannot be made, in words for the user.
package enum UpmixError: Error, Equatable, CustomStringConvertible {
    /// The layout lacks a front pair, a centre or a pair of surrounds.
    case noStage(layout: String)

    /// The fault, and its remedy.
    package var description: String {
        switch self {
        case .noStage(let layout):
            "layout \(layout) is no stage to upmix stereo to: it needs FL, FR, FC and SL, SR or BL, BR; choose 5.1, 7.1, "
                + "5.1.2, 5.1.4, 7.1.2, 7.1.4 or 9.1.6"
        }
    }
}

/// Settings of the upmix of a programme's stereo rendition.
package struct UpmixPlan: Hashable, Sendable {
    /// Law that is kept.
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
package struct UpmixState: BitwiseCopyable, Hashable, Sendable {
    /// Whether the upmix is heard, if there is one; else the two channels play on two loudspeakers.
    package var isOn = true
    /// Amounts of the upmix.
    package var amounts = UpmixControls()

    /// Makes the default: on, with the default amounts.
    package init() {}
}
