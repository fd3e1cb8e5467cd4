import Foundation
import Sweeps

/// Progress of `measure me` and `measure headphones`. A look is given as the planned yaw of the head, degrees, or as
/// the number of the headphones' fit.
package enum PersonEvent: Sendable {
    /// The search for the level has tried a level, dBFS: peaks at the ears, and margin over the noise, dB.
    case tried(level: Double, peaks: EarPeaks, margin: Double)
    /// The level of all takes, dBFS.
    case level(Double)
    /// The person is asked for a look.
    case asked(look: Double)
    /// A sound of this duration, seconds, begins: a take, or a sound of the search for the level.
    case sounding(seconds: Double)
    /// A take was judged: peaks at the ears, and margin over the noise, dB.
    case judged(peaks: EarPeaks, margin: Double)
    /// A take is good and kept; number of good takes, and of planned ones.
    case kept(path: String, done: Int, of: Int)
    /// A take is refused for these faults.
    case refused([TakeFault])
    /// A former measurement of the folder is continued: number of takes in the folder, and of planned ones.
    case resumed(done: Int, of: Int, MeasurementFolder.Takes)
    /// A look is left out at the person's request; its name in messages.
    case skipped(look: Double, name: String)
    /// A look is recorded anew at the person's request; its name in messages.
    case again(look: Double, name: String)

    /// The event in words; nil for events that a terminal does not show.
    package var text: String? {
        switch self {
        case .asked, .sounding, .judged: nil
        case .tried(let level, let peaks, let margin):
            String(
                format: "level %.0f dBFS: %.0f dBFS at the ears, %.0f dB above the noise", level, peaks.highest, margin)
        case .level(let level): String(format: "measuring at %.0f dBFS", level)
        case .kept(let path, let done, let count): "good: \(path) (\(done) of \(count))"
        case .refused(let faults): "refused: " + faults.map(\.description).joined(separator: "; ")
        case .resumed(let done, let count, let takes):
            "continued: \(done) of \(count) \(takes == .looks ? "looks" : "fits") are already measured"
        case .skipped(_, let name): "left out: \(name)"
        case .again(_, let name): "once more: \(name)"
        }
    }
}
