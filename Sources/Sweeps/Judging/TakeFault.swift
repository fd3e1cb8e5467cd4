/// A fault for which a take is refused.
package enum TakeFault: Hashable, Sendable, CustomStringConvertible {
    /// The recording is clipped. `samples` is the number of samples of both ears that reach 1 − 10⁻⁴ of the peak of
    /// their ear, if this ear is clipped.
    case clipped(samples: Int)
    /// The sweep is not far enough above the noise; its margin, dB.
    case tooQuiet(margin: Double)
    /// A sound that is not the sweep: its level above the noise, dB, and its time, seconds. The time is nil if the
    /// sound is detected only as noise at the ends of the responses, because deconvolution spreads it in time.
    case noise(seconds: Double?, decibels: Double)
    /// A loudspeaker or headphone driver was not heard, was heard at one ear only, or was not heard at its place.
    case wrongChannel(loudspeaker: String, reason: String)
    /// The microphones of the ears are exchanged.
    case swappedEars
    /// One microphone is quieter than the other at low frequencies, where a head hardly shadows an ear. `decibels`:
    /// level of the left ear less that of the right. With `isChange`, it is less that of the other takes too.
    case unequalEars(decibels: Double, isChange: Bool)
    /// Each driver of the headphones is heard at the other ear.
    case exchangedDrivers
    /// Frames are missing or replaced by silence; or the pilot tones do not match, or show a greater difference of the
    /// two clocks than is usual.
    case dropout(reason: String)
    /// The recording began at another time than the other recordings; how much later its sound is, seconds.
    case startedApart(seconds: Double)
    /// The head moved during the take; the movement, degrees.
    case headMoved(degrees: Double)

    /// Short name, a stable word for scripts.
    package var name: String {
        switch self {
        case .clipped: "clipped"
        case .tooQuiet: "too-quiet"
        case .noise: "noise"
        case .wrongChannel: "wrong-channel"
        case .swappedEars: "swapped-ears"
        case .unequalEars: "unequal-ears"
        case .exchangedDrivers: "exchanged-drivers"
        case .dropout: "dropout"
        case .startedApart: "started-apart"
        case .headMoved: "head-moved"
        }
    }

    /// The fault and its remedy.
    package var description: String {
        switch self {
        case .clipped(let samples):
            "clipped: \(samples) samples are at the limit of the range; turn the microphones or the sweep down"
        case .tooQuiet(let margin):
            "too quiet: the sweep is only \(tenths(margin)) dB above the noise; turn it up, or wait until it is quieter"
        case .noise(let seconds, let decibels):
            "a noise \(seconds.map { "at \(tenths($0)) s" } ?? "during the sweep"), \(tenths(decibels)) dB above the rest; "
                + "repeat the take"
        case .wrongChannel(let loudspeaker, let reason): "\(loudspeaker): \(reason)"
        case .swappedEars:
            "the microphones are exchanged: sound from the left reaches the right one first; exchange their inputs"
        case .unequalEars(let decibels, let isChange):
            TakeFault.unequal(decibels, isChange: isChange)
        case .exchangedDrivers:
            "each driver is heard at the other ear: the headphones are on the wrong way round, or the microphones' inputs "
                + "are exchanged"
        case .dropout(let reason): "frames are missing: \(reason); repeat the take"
        case .startedApart(let seconds):
            "the sound is \(tenths(1000 * abs(seconds))) ms \(seconds > 0 ? "later" : "earlier") than in the other recordings: "
                + "record all on one time line, as in a DAW, or the delays between the loudspeakers are lost; --apart takes "
                + "them from the loudspeakers' distances"
        case .headMoved(let degrees):
            "the head moved by \(tenths(degrees))°; keep it still until the tone, and repeat the take"
        }
    }

    /// Returns the description of unequal ears.
    private static func unequal(_ decibels: Double, isChange: Bool) -> String {
        let ear = decibels > 0 ? "right" : "left"
        let reason =
            isChange
            ? "than in the other takes, relative to the other ear: a gain has changed, or a plug is loose"
            : "than the other at low frequencies, more than a head explains"
        return "the \(ear) ear is \(tenths(abs(decibels))) dB quieter \(reason); check both microphones, plugs and "
            + "gains, and repeat the take"
    }
}
