import HRTF
import Rendering
import RenditionMatching
import Signal
import Soundstage
import Synchronization

/// Compares the renditions of a programme during playback on a separate thread, and passes the result to the programme.
///
/// The watch keeps the renderer and its tap (a queue of the input sound) alive. Only this thread reads the tap.
package final class RenditionWatch: Sendable {
    /// The newest measurement.
    package struct Findings {
        /// Lag of the stereo rendition behind the multichannel one, frames; nil if unknown.
        package var lag: Double?
        /// Loudness of the multichannel rendition relative to the stereo one, LU; nil if unknown.
        package var loudnessDifference: Double?
        /// Normalised correlation of the two renditions, 0…1; 0 before it was measured.
        package var correlation: Double = 0
    }

    private let programme: ProgrammeRenderer
    private let worker = Worker(name: "renditions")
    private let found = Mutex(Findings())
    private let field: FilterField
    private let lowFrequencyGain: Float

    /// Pause if no full block is available, seconds.
    private static let interval = 0.01

    /// Creates a watch; nil for a programme without two renditions.
    package init?(_ programme: ProgrammeRenderer, field: FilterField, lowFrequencyGain: Float) {
        guard programme.tap != nil else { return nil }
        self.programme = programme
        self.field = field
        self.lowFrequencyGain = lowFrequencyGain
    }

    /// The newest measurement.
    package var findings: Findings { found.withLock { $0 } }

    /// Starts the thread.
    ///
    /// - Throws: `WorkerError` if the system cannot create a thread.
    package func start() throws(WorkerError) { try worker.start { [self] in watch($0) } }

    /// Stops the thread and waits for its end.
    package func stop() { _ = worker.stop() }

    private func watch(_ worker: Worker) {
        // The analysis fails only for an upmix for which no renderer can be created either.
        guard let tap = programme.tap,
            var analysis = try? RenditionAnalysis(
                programme.programme, field: field, lowFrequencyGain: lowFrequencyGain)
        else { return }
        let rows = PlanarBlock(channels: analysis.channelCount, frames: RenditionAnalysis.block)
        while !worker.isEnding {
            let (isFilled, isNew, isWhole) = tap.pointee.pop(rows.pointers, frames: RenditionAnalysis.block)
            if isNew { analysis.forget() }
            guard isFilled else {
                worker.rest(Self.interval)
                continue
            }
            analysis.take(
                rows.pointers, isWhole: isWhole, state: programme.state.renditions, upmix: programme.controls.upmix)
            let match = analysis.match
            if match != programme.controls.renditions.match {
                programme.tell(match)
            }
            found.withLock {
                $0 = Findings(
                    lag: analysis.lag, loudnessDifference: analysis.loudnessDifference,
                    correlation: Double(match.correlation))
            }
        }
    }
}
