/// Which law an upmix keeps; they cannot hold at once.
package enum UpmixMode: String, CaseIterable, Hashable, Sendable {
    /// The ITU downmix of the upmix (before the decorrelators) is the input, sample for sample.
    case identity
    /// The channels together have the input's power.
    case energy
    /// The input is Lt/Rt, a 5-2-5 or 7-2-7 matrix of more channels, and is decoded; put through the matrix again, the
    /// channels are the input, sample for sample.
    case matrix
}

/// How much an upmix may look ahead.
package enum UpmixLatency: String, CaseIterable, Hashable, Sendable {
    /// 43 ms at most: linear-phase masks with the full resolution of the analysis. For players.
    case player
    /// 2 ms at most: masks of past sound with little look-ahead. For monitoring.
    case live
}

/// What becomes of a programme in one channel.
package enum MonoPlacement: String, CaseIterable, Hashable, Sendable {
    /// All of it stands in the centre.
    case centre
    /// Two decorrelated copies make a stereo programme, which is then upmixed.
    case wide
}

/// Amounts of an upmix that may change while it plays; changes are smoothed.
package struct UpmixControls: BitwiseCopyable, Hashable, Sendable {
    /// How much of what is found in the middle moves to the centre loudspeaker, 0…1; the rest stays a phantom.
    package var centre: Float
    /// How much of the sound left in the front pair wraps round to the wides, where there are none to the surrounds,
    /// 0…1.
    package var width: Float
    /// How much of what is found without a direction moves to the surrounds, 0…1.
    package var ambience: Float

    /// Amounts, clamped to 0…1; what is not a number counts as the default.
    package init(centre: Float = 1, width: Float = 0, ambience: Float = 1) {
        func clamp(_ value: Float, _ standard: Float) -> Float { value.isNaN ? standard : max(0, min(1, value)) }
        self.centre = clamp(centre, 1)
        self.width = clamp(width, 0)
        self.ambience = clamp(ambience, 1)
    }
}

/// Why there can be no such upmix, in words for the person who asked for it.
package enum UpmixError: Error, Equatable, CustomStringConvertible {
    /// The layout lacks a front pair, a centre or a pair of surrounds.
    case noStage(layout: String)

    /// What is wrong, and what to do.
    package var description: String {
        switch self {
        case .noStage(let layout):
            "layout \(layout) is no stage to upmix stereo to: it needs FL, FR, FC and SL, SR or BL, BR; choose 5.1, 7.1, "
                + "5.1.2, 5.1.4, 7.1.2, 7.1.4 or 9.1.6"
        }
    }
}

/// How the stereo rendition of a programme is upmixed.
package struct UpmixPlan: Hashable, Sendable {
    /// The law kept.
    package var mode: UpmixMode
    /// How far it may look ahead.
    package var latency: UpmixLatency
    /// What becomes of one channel, where that is all there is.
    package var mono: MonoPlacement

    /// A plan.
    package init(mode: UpmixMode = .identity, latency: UpmixLatency = .live, mono: MonoPlacement = .centre) {
        self.mode = mode
        self.latency = latency
        self.mono = mono
    }
}

/// Whether and how far stereo is upmixed to the stage.
package struct UpmixState: BitwiseCopyable, Hashable, Sendable {
    /// Whether the upmix is to be heard, where there is one; else the two channels on two loudspeakers.
    package var isOn = true
    /// Its amounts.
    package var amounts = UpmixControls()

    /// Open, with the usual amounts.
    package init() {}
}
