import AudioIO
import Foundation
import Geometry
import Soundstage
import Sweeps

/// Judge of the takes of a measurement: of a person before loudspeakers, or of headphones on the ears.
protocol TakeJudge: Sendable {
    /// First level of the search for the level, dBFS.
    var firstLevel: Double { get }
    /// Names of the faults that a louder sweep may remove. If the search for the level ends with one of these, the
    /// measurement is refused.
    var faultsOfLevel: Set<String> { get }
    /// Sources of sound in messages: `loudspeakers`.
    var sources: String { get }
    /// Returns the name of a take in messages, by its number: the yaw of the head in degrees, or the fit.
    func name(ofTake number: Double) -> String
    /// Deconvolves and judges a take. Takes about half a second for ten seconds at 48 kHz.
    ///
    /// - Parameters:
    ///   - plan: sweeps of the take.
    ///   - number: number of the take; nil in the search for the level, in which the loudspeakers' directions are not
    ///     judged.
    ///   - looks: the tracker's orientations; nil without a tracker.
    ///   - microphones: calibrations of the left and right microphone; nil without.
    /// - Throws: `recording` for a recording that does not fit the plan.
    func judge(
        _ take: ExchangedTake, _ plan: TakePlan, number: Double?, looks: HeadLooks?,
        _ microphones: [MicrophoneCalibration?]
    ) throws(SweepError) -> TakeJudgement
}

/// Judgement of a take.
struct TakeJudgement: Sendable {
    /// Margin of the sweep over the noise: median of the octaves from 250 Hz to 8 kHz, dB.
    var margin: Double
    /// Faults for which the take is refused; empty if it is good. The level between the ears is judged by
    /// `PersonMeasurement`, which knows the other takes.
    var faults: [TakeFault]
    /// Level at the left ear less that at the right from 100 to 300 Hz, less that of a sphere; nil for headphones, in
    /// the search for the level, and if the sound does not stand out of the noise.
    var earLevel: EarLevels.Level?
}

/// Judge of a person's takes before loudspeakers.
struct LoudspeakerJudge: TakeJudge {
    /// Loudspeakers in the order of their sweeps.
    let loudspeakers: [Loudspeaker]
    let firstLevel = -40.0, faultsOfLevel: Set = ["too-quiet"], sources = "loudspeakers"

    func name(ofTake yaw: Double) -> String { String(format: "the look at %.3g°", yaw) }

    func judge(
        _ take: ExchangedTake, _ plan: TakePlan, number yaw: Double?, looks: HeadLooks?,
        _ microphones: [MicrophoneCalibration?]
    ) throws(SweepError) -> TakeJudgement {
        let head = yaw.map { Rotation<Head, Stage>(yaw: $0 * .pi / 180) }
        let judged = try MeasuredTake(
            plan, left: take.left, right: take.right, microphones: microphones,
            first: head?.inverse(loudspeakers[0].direction), looks: looks, lostFrames: take.lostFrames)
        var found = [NamedTake(path: "", yaw: yaw ?? 0, take: judged, faults: judged.faults)]
        if yaw != nil, judged.faults.isEmpty { NamedTake.judgePlaces(&found, of: loudspeakers) }
        return TakeJudgement(
            margin: judged.margin, faults: found[0].faults,
            earLevel: yaw == nil ? nil : found[0].earLevel(of: loudspeakers))
    }
}

/// Judge of the fits of headphones.
struct HeadphoneJudge: TakeJudge {
    // The drivers are close to the ears, so the first level is lower than for loudspeakers.
    let firstLevel = -60.0, faultsOfLevel: Set = ["too-quiet", "wrong-channel"], sources = "headphones"

    func name(ofTake fit: Double) -> String { String(format: "fit %.0f", fit) }

    func judge(
        _ take: ExchangedTake, _ plan: TakePlan, number: Double?, looks: HeadLooks?,
        _ microphones: [MicrophoneCalibration?]
    ) throws(SweepError) -> TakeJudgement {
        let judged = try HeadphoneTake(
            plan, left: take.left, right: take.right, microphones: microphones, lostFrames: take.lostFrames)
        return TakeJudgement(margin: judged.margin, faults: judged.faults)
    }
}

extension PlayedSweeps {
    /// Judge of takes with these sweeps.
    var judge: any TakeJudge {
        if isOfHeadphones { HeadphoneJudge() } else { LoudspeakerJudge(loudspeakers: loudspeakers) }
    }
}
