import AudioIO
import Metering
import Signal
import Soundstage
import Synchronization

/// Meters the loudness of every input and of the ears while they play, on a thread of its own.
///
/// The meters belong to the thread; what they show is under a lock.
package final class LoudnessMonitor: Sendable {
    /// One input: its name, how many channels it has, and what each weighs.
    package struct Input: Sendable {
        /// What it is called in the status.
        package var name: String
        /// The weight of each channel (BS.1770).
        package var weights: [Float]

        /// All of it; see the properties.
        package init(
            name: String, weights: [Float]
        ) {
            (self.name, self.weights) = (name, weights)
        }

        /// What is metered of a programme: each rendition that comes in, in the order of its channels; nothing of an
        /// effect.
        package static func all(of programme: Programme) -> [Input] {
            guard !programme.isEffect else { return [] }
            var inputs: [Input] = []
            if programme.hasMultichannelRendition {
                inputs.append(Input(name: programme.name, weights: programme.layout.loudnessWeights))
            }
            if programme.hasStereoRendition {
                let mark = programme.hasMultichannelRendition ? " (stereo)" : ""
                let weights = [Float](repeating: 1, count: programme.stereoChannels)
                inputs.append(Input(name: programme.name + mark, weights: weights))
            }
            return inputs
        }
    }

    /// Seconds between two looks at what was left: what meters show moves as often, and waking seldom, with much to do
    /// at a time, costs least.
    private static let nap = 0.05
    /// The same in freewheel.
    private static let shortNap = 0.001
    /// Seconds of sound after which integrated loudness and range are worked out again.
    private static let gating = 0.5

    /// Where the audio thread leaves its sound.
    package let tap: ThreadOwned<SoundTap>
    /// Hears what the last input's channels are scaled by; nil where that is no sound field, or one that is known.
    package let scale: ScaleWatch?
    private let inputs: [Input]
    /// The last input's first channels, of which the scale is watched.
    private let field = PlanarBlock(channels: 4, frames: ScaleWatch.mostFrames)
    private let sampleRate: SampleRate
    /// What is shown of meters that have heard nothing.
    private let blank: LoudnessStatus
    private let shown: Mutex<LoudnessStatus>
    private let isToReset = Atomic<Bool>(false)
    private let worker = Worker(name: "loudness")
    /// Frames that were lost before the meters began, or began anew. The thread's alone.
    private let lostBefore = Atomic<Int>(0)
    /// Frames lost so far.
    private var dropped: Int { tap.pointee.droppedFrames.load(ordering: .relaxed) }

    /// Meters that do not run yet. Inputs are in the order of the graph's channels; where there is a `scale`, the last
    /// is a sound field.
    package init(inputs: [Input], sampleRate: SampleRate, scale: ScaleWatch? = nil) {
        self.inputs = inputs
        self.scale = scale
        self.sampleRate = sampleRate
        blank = LoudnessStatus(
            inputs: inputs.map { .init(name: $0.name, readings: LoudnessReadings()) }, ears: LoudnessReadings(),
            lostFrames: 0)
        shown = Mutex(LoudnessStatus(inputs: [], ears: LoudnessReadings(), lostFrames: 0))
        let channels = inputs.reduce(0) { $0 + $1.weights.count }
        // Half a second: longer than a busy machine keeps a thread from running.
        tap = ThreadOwned(SoundTap(inputCount: channels, capacityFrames: Int(sampleRate.hertz / 2)))
    }

    /// Starts the thread. Once only.
    ///
    /// - Throws: where the system gives none.
    package func start() throws(WorkerError) { try worker.start { [self] in measure($0) } }

    deinit {
        tap.deallocate()
    }

    /// What the meters show. Any thread.
    package var status: LoudnessStatus { shown.withLock { $0 } }

    /// Momentary and short-term loudness of the ears, LUFS, −200 at least. Any thread.
    package var ears: (momentary: Double, shortTerm: Double) {
        let ears = status.ears
        return (max(-200, ears.momentary ?? -200), max(-200, ears.shortTerm ?? -200))
    }

    /// Begins integrated loudness, range and maxima anew: readings from now on hold nothing of what was before. Any
    /// thread.
    package func reset() {
        shown.withLock {
            isToReset.store(true, ordering: .relaxed)
            $0 = blank
        }
    }

    /// Ends the thread. The tap must be off the audio thread.
    package func stop() { _ = worker.stop() }

    /// A meter for each input and one for the ears.
    private final class Meters {
        let inputs: [LoudnessMeter]
        let ears: LoudnessMeter
        /// In the order of the tap's channels.
        let all: [LoudnessMeter]

        init(_ inputs: [Input], _ sampleRate: SampleRate) {
            self.inputs = inputs.map { LoudnessMeter(sampleRate: sampleRate, weights: $0.weights) }
            ears = LoudnessMeter(sampleRate: sampleRate, weights: [1, 1])
            all = self.inputs + [ears]
        }
    }

    private func measure(_ worker: Worker) {
        var meters = Meters(inputs, sampleRate)
        beginAfterGap()
        var nap = Self.nap
        // Frames since integrated loudness and range were worked out.
        var ungated = 0
        defer { tap.pointee.isAbandoned.store(true, ordering: .relaxed) }
        while !worker.isEnding {
            if isToReset.exchange(false, ordering: .relaxed) {
                meters = Meters(inputs, sampleRate)
                lostBefore.store(dropped, ordering: .relaxed)
                show(meters, gated: true)
            }
            let count = listen(&meters)
            ungated += count
            let isGated = count == 0 ? ungated > 0 : sampleRate.seconds(frames: ungated) >= Self.gating
            if count > 0 || isGated { show(meters, gated: isGated) }
            if isGated { ungated = 0 }
            // In freewheel the queue fills faster than time goes by, and the audio thread waits for room in it.
            nap = sampleRate.seconds(frames: count) > 2 * nap ? Self.shortNap : Self.nap
            worker.rest(nap)
        }
        // What is asked for afterwards is of all that was heard.
        if listen(&meters) + ungated > 0 { show(meters, gated: true) }
    }

    /// Where sound was lost before there was a listener, metering begins behind it.
    private func beginAfterGap() {
        lostBefore.store(dropped, ordering: .relaxed)
        guard lostBefore.load(ordering: .relaxed) > 0 else { return }
        var left = tap.pointee.capacityFrames
        while left > 0 {
            let count = tap.pointee.read(limit: left) { _, _, _ in }
            guard count > 0 else { return }
            left -= count
        }
    }

    /// Meters what waits, a queue's length at most; returns how many frames that was.
    private func listen(_ meters: inout Meters) -> Int {
        var done = 0
        while done < tap.pointee.capacityFrames {
            let count = tap.pointee.read(limit: ScaleWatch.mostFrames) { rows, frames, isStreamStart in
                if isStreamStart {
                    meters = Meters(inputs, sampleRate)
                    lostBefore.store(tap.pointee.droppedBeforeRestart, ordering: .relaxed)
                    scale?.restart()
                }
                var channel = 0
                for meter in meters.all {
                    meter.add(finite: rows + channel, frames: frames)
                    channel += meter.channelCount
                }
                if let scale, let weights = inputs.last?.weights {
                    let first = tap.pointee.channelCount - 2 - weights.count
                    for channel in 0..<4 { Samples.copy(rows[first + channel], to: field[channel], count: frames) }
                    scale.hear(field, frames: frames)
                }
            }
            guard count > 0 else { break }
            done += count
        }
        return done
    }

    private func show(_ meters: Meters, gated: Bool) {
        let status = LoudnessStatus(
            inputs: zip(inputs, meters.inputs).map { .init(name: $0.name, readings: $1.read(gated: gated)) },
            ears: meters.ears.read(gated: gated), lostFrames: dropped - lostBefore.load(ordering: .relaxed))
        // What was measured before a reset is of no interest after it.
        shown.withLock { if !isToReset.load(ordering: .relaxed) { $0 = status } }
    }
}

/// The loudness of a running session, as `ctl status --json` and `ctl loudness` show it.
package struct LoudnessStatus: Codable, Hashable, Sendable {
    /// One input's meter.
    package struct Input: Codable, Hashable, Sendable {
        /// The input's name.
        package var name: String
        /// Its loudness as it is delivered, before levels, normalisation and compression.
        package var readings: LoudnessReadings
    }

    /// All inputs.
    package var inputs: [Input]
    /// What the two ears get. Informative only: BS.1770's filter already models a head, which the ears' signals have
    /// been through once, so that this figure and a loudspeaker programme's are not on one scale.
    package var ears: LoudnessReadings
    /// Frames that were not measured because the meters could not keep up.
    package var lostFrames: Int
}
