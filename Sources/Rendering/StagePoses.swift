import Geometry
import Signal

/// Poses of the head for a stage: the mailbox that a head tracker fills, and the source that the audio thread reads.
struct StagePoses: Sendable {
    /// Mailbox for the forecasts of a head tracker. Only one thread may write to it.
    let mailbox: LatestValue<PoseForecast>
    /// The source, in the audio thread's form.
    let track: PoseTrack

    /// Makes the mailbox, with a head at rest that faces the front, and copies the source. `delay` seconds are added to
    /// the times of a log.
    init(_ source: PoseSource, delay: Double) {
        mailbox = LatestValue(PoseForecast.still(.identity))
        track = PoseTrack(source, delay: delay)
    }

    /// Frees both. Call when no thread uses them any more.
    func deallocate() {
        track.deallocate()
        mailbox.deallocate()
    }
}
