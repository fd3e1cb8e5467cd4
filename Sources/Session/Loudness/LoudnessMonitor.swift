import AudioIO
import Foundation
import Signal
import Synchronization

/// Meters the loudness of every input and of the ears while they play, on a thread of its own.
///
/// Invariant (why `@unchecked Sendable` holds): the tap is shared only through its queue and atomics; the meters belong to the
/// thread until it has ended, which `stop` waits for; what they show is under a lock.
final class LoudnessMonitor: @unchecked Sendable {
    /// One input: its name, how many channels it has, and what each weighs.
    struct Input: Sendable {
        var name: String
        var weights: [Float]
    }

    /// Where the audio thread leaves its sound.
    let tap: UnsafeMutablePointer<SoundTap>
    private let inputs: [Input]
    private let sampleRate: SampleRate
    private let shown: Mutex<LoudnessStatus>
    private let isStopping = Atomic<Bool>(false)
    private let isToReset = Atomic<Bool>(false)
    private let hasEnded = DispatchSemaphore(value: 0)

    /// Starts the thread. Inputs are in the order of the graph's channels.
    init(inputs: [Input], sampleRate: SampleRate) {
        self.inputs = inputs
        self.sampleRate = sampleRate
        shown = Mutex(LoudnessStatus(inputs: [], ears: LoudnessReadings(), lostFrames: 0))
        let meters = Meters(inputs, sampleRate)
        let channels = inputs.reduce(0) { $0 + $1.weights.count }
        tap = .allocate(capacity: 1)
        // Half a second: longer than a busy machine keeps a thread from running.
        tap.initialize(to: SoundTap(inputCount: channels, capacityFrames: Int(sampleRate.hertz / 2)))
        let first = UncheckedBox(meters)
        let thread = Thread { [self] in measure(first.value) }
        thread.name = "loudness"
        thread.start()
    }

    deinit {
        tap.deinitialize(count: 1)
        tap.deallocate()
    }

    /// What the meters show. Any thread.
    var status: LoudnessStatus { shown.withLock { $0 } }

    /// Begins integrated loudness, range and maxima anew. Any thread.
    func reset() { isToReset.store(true, ordering: .relaxed) }

    /// Ends the thread. The tap must be off the audio thread. Once only.
    func stop() {
        isStopping.store(true, ordering: .releasing)
        hasEnded.wait()
    }

    /// A meter for each input and one for the ears.
    private final class Meters {
        let inputs: [LoudnessMeter]
        let ears: LoudnessMeter

        init(_ inputs: [Input], _ sampleRate: SampleRate) {
            self.inputs = inputs.map { LoudnessMeter(sampleRate: sampleRate, weights: $0.weights) }
            ears = LoudnessMeter(sampleRate: sampleRate, weights: [1, 1])
        }
    }

    /// Sound as `@unchecked`: handed over once, to the thread.
    private struct UncheckedBox<Value>: @unchecked Sendable {
        let value: Value
        init(_ value: Value) { self.value = value }
    }

    private func measure(_ first: Meters) {
        let limit = 4096
        let samples = PlanarBlock(channels: tap.pointee.channelCount, frames: limit)
        var meters = first
        var (untilShown, isStale) = (0, false)
        defer {
            tap.pointee.isAbandoned.store(true, ordering: .relaxed)
            hasEnded.signal()
        }
        while !isStopping.load(ordering: .acquiring) {
            let (count, isStreamStart) = tap.pointee.pop(into: samples, limit: limit)
            if isToReset.exchange(false, ordering: .relaxed) || isStreamStart {
                meters = Meters(inputs, sampleRate)
                untilShown = 0
            }
            guard count > 0 else {
                if isStale { show(meters) }
                isStale = false
                usleep(5000)
                continue
            }
            isStale = true
            var channel = 0
            for meter in meters.inputs + [meters.ears] {
                meter.add(samples, channel: channel, frames: count)
                channel += meter.channelCount
            }
            untilShown -= count
            if untilShown <= 0 {
                untilShown = Int(sampleRate.hertz / 20)
                isStale = false
                show(meters)
            }
        }
    }

    private func show(_ meters: Meters) {
        let status = LoudnessStatus(
            inputs: zip(inputs, meters.inputs).map { .init(name: $0.name, readings: $1.read()) },
            ears: meters.ears.read(), lostFrames: tap.pointee.droppedFrames.load(ordering: .relaxed))
        shown.withLock { $0 = status }
    }
}
