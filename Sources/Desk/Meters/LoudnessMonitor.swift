import AudioIO
import Metering
import Signal
import Soundstage
import Synchronization

/// Measures the loudness of inputs and ears during playback, on its own thread.
///
/// Only that thread uses the meters. A lock protects the published readings.
package final class LoudnessMonitor: Sendable {
    /// One input: name and channel weights.
    package struct Input: Sendable {
        /// Name in the status.
        package var name: String
        /// The weight of each channel (BS.1770).
        package var weights: [Float]

        /// Creates an input; see the properties.
        package init(name: String, weights: [Float]) {
            (self.name, self.weights) = (name, weights)
        }

        /// Returns the metered inputs of a programme: its renditions that have input ports, first the multichannel one.
        /// Effects are not metered.
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

    /// Pause after each read of the tap, seconds. It allows the ten readings of momentary loudness per second that EBU
    /// Tech 3341 requires. Fewer reads cost less processor time.
    private static let nap = 0.095
    /// Pause while no client reads the readings, seconds.
    private static let longNap = 0.25
    /// Pause while the tap fills faster than real time, for example in freewheel, seconds.
    private static let shortNap = 0.001
    /// Duration of sound after which integrated loudness and range are updated, seconds. They are updated earlier if no
    /// sound follows.
    private static let gating = 0.5

    /// Buffer that the audio thread fills with the sound of inputs and ears.
    package let tap: ThreadOwned<SoundTap>
    /// Detects the scale of the last input's channels. It is nil if the last input is not a sound field, or if it comes
    /// from a file, whose scale was checked before playback.
    package let scale: ScaleWatch?
    private let inputs: [Input]
    /// First four channels of the last input, for the scale detection.
    private let field = PlanarBlock(channels: 4, frames: ScaleWatch.mostFrames)
    private let sampleRate: SampleRate
    /// Status of meters without any sound yet.
    private let blank: LoudnessStatus
    private let shown: Mutex<LoudnessStatus>
    private let isToReset = Atomic<Bool>(false)
    /// Whether a client has read the readings since the previous read of the tap.
    private let isRead = Atomic<Bool>(true)
    private let worker = Worker(name: "loudness")
    /// Frames lost before the meters began or last restarted. Only the meter thread uses it.
    private let lostBefore = Atomic<Int>(0)
    /// Frames lost so far.
    private var dropped: Int { tap.pointee.droppedFrames.load(ordering: .relaxed) }

    /// Creates meters that do not run yet. The inputs are in the order of the stage's input channels. If `scale` is not
    /// nil, the last input must be a sound field.
    package init(inputs: [Input], sampleRate: SampleRate, scale: ScaleWatch? = nil) {
        self.inputs = inputs
        self.scale = scale
        self.sampleRate = sampleRate
        blank = LoudnessStatus(
            inputs: inputs.map { .init(name: $0.name, readings: LoudnessReadings()) }, ears: LoudnessReadings(),
            lostFrames: 0)
        shown = Mutex(blank)
        let channels = inputs.reduce(0) { $0 + $1.weights.count }
        // The capacity exceeds the sum of the long pause and the usual delay of a thread on a busy machine.
        tap = ThreadOwned(SoundTap(inputCount: channels, capacityFrames: Int(0.75 * sampleRate.hertz)))
    }

    /// Starts the thread. May be called only once.
    ///
    /// - Throws: `WorkerError` if the system cannot create a thread.
    package func start() throws(WorkerError) { try worker.start { [self] in measure($0) } }

    deinit {
        tap.deallocate()
    }

    /// Published readings of the meters. May be read on any thread.
    package var status: LoudnessStatus {
        isRead.store(true, ordering: .relaxed)
        return shown.withLock { $0 }
    }

    /// Momentary and short-term loudness of the ears, LUFS, at least −200; −200 without a reading. May be read on any
    /// thread.
    package var ears: (momentary: Double, shortTerm: Double) {
        let ears = status.ears
        return (max(-200, ears.momentary ?? -200), max(-200, ears.shortTerm ?? -200))
    }

    /// Restarts all meters. Later readings do not include earlier sound. May be called on any thread.
    package func reset() {
        shown.withLock {
            isToReset.store(true, ordering: .relaxed)
            $0 = blank
        }
    }

    /// Stops the thread. The audio thread must have released the tap.
    package func stop() { _ = worker.stop() }

    /// One meter for each input and one for the ears.
    private final class Meters {
        let inputs: [LoudnessMeter]
        let ears: LoudnessMeter
        /// Meters in the order of the tap's channels.
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
        // Frames since the last update of integrated loudness and range.
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
            // In freewheel the queue fills faster than real time, and the audio thread waits for free space.
            let isAhead = sampleRate.seconds(frames: count) > 2 * nap
            let isWatched = isRead.exchange(false, ordering: .relaxed)
            nap = isAhead ? Self.shortNap : isWatched ? Self.nap : Self.longNap
            worker.rest(nap)
        }
        // The final readings cover the whole sound.
        if listen(&meters) + ungated > 0 { show(meters, gated: true) }
    }

    /// If sound was lost before the thread ran, discards the queued sound before the gap.
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

    /// Measures the queued frames, at most about one queue length; returns their count.
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
        // Readings from before a reset are discarded.
        shown.withLock { if !isToReset.load(ordering: .relaxed) { $0 = status } }
    }
}

/// The loudness of a running session, as `ctl status --json` and `ctl loudness` show it.
package struct LoudnessStatus: Codable, Hashable, Sendable {
    /// One input's meter.
    package struct Input: Codable, Hashable, Sendable {
        /// The input's name.
        package var name: String
        /// Loudness of the input signal, before levels, normalisation and compression.
        package var readings: LoudnessReadings
    }

    /// Readings of all inputs.
    package var inputs: [Input]
    /// Readings of the two ear signals. They are for information only: the filter of BS.1770 already models a head, and
    /// the ear signals contain the effect of the head once more. They are therefore not comparable with the loudness of
    /// a loudspeaker programme.
    package var ears: LoudnessReadings
    /// Frames since the start or the last reset that were not measured because the meters could not keep up.
    package var lostFrames: Int

    /// The status during a blind comparison, in which names and readings of the meters could identify the heard scene.
    package static let hidden = LoudnessStatus(inputs: [], ears: LoudnessReadings(), lostFrames: 0)
}
