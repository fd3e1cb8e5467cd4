import CPlugins
import CRealtime
import Gate
import Inserts
import Signal
import Synchronization

/// Runs a plugin in a child process, on its own thread: processes the sound that the host passes with each call.
///
/// If the runner is so late that its output would no longer be used, it skips frames up to the next call whose output
/// is still used.
///
/// Between calls the runner sleeps until shortly before the next ones are due, and then polls, so that the audio thread
/// need not wake it. The system call that wakes a thread takes 10 µs or more if the other processor is asleep. Offline,
/// and when calls stop, the runner waits for the bell.
final class HostedRunner: Sendable {
    /// Result of the request for a priority: 0 if not requested yet, 1 if granted, otherwise the negative errno.
    let priorityOutcome = Atomic<Int>(0)
    private let memory: ExchangeMemory
    private let processor: PluginProcessor
    private let latency: @Sendable () -> Int
    private let ending = Atomic<Bool>(false)
    /// Latency of the exchange, ns: at least the time from the calls of one callback to those of the next.
    private let period: UInt64

    /// Creates a runner of a plugin. `latency` returns the plugin's reported latency, frames.
    init(
        _ memory: ExchangeMemory, _ processor: PluginProcessor, sampleRate: Double,
        latency: @escaping @Sendable () -> Int
    ) {
        self.memory = memory
        period = UInt64(Int(clamping: Double(memory.shape.latency) / sampleRate * 1e9, .towardZero, to: 0...1 << 40))
        self.processor = processor
        self.latency = latency
    }

    /// Requests that `run` return. May be called on any thread.
    func end() {
        ending.store(true, ordering: .releasing)
        memory.childBell.ring()
    }

    /// Runs the plugin until `end`.
    func run() {
        prc_flush_denormals()
        let head = memory.head
        var place = 0
        // Time, ns, at which the newest calls were found after a rest.
        var (found, isResting): (UInt64, Bool) = (0, true)
        while !ending.load(ordering: .acquiring) {
            let written = head.pointee.written.load(ordering: .acquiring)
            if written == place {
                if restart() { continue }
                isResting = true
                rest(at: place, since: found)
            } else {
                if isResting { (found, isResting) = (prc_monotonic_nanoseconds(), false) }
                takePriority()
                place = call(at: current(place, written))
            }
        }
    }

    /// Returns the position at which to continue: `place`, or a later call if the output at `place` would no longer be
    /// used.
    private func current(_ place: Int, _ written: Int) -> Int {
        let wanted = written - memory.shape.latency
        guard place < wanted else { return place }
        // Continues at the start of the next call, so that no call is split.
        let next = wanted + Int(memory.calls[memory.slot(wanted)] & ~ExchangeMemory.offlineBit)
        memory.head.pointee.first.store(next, ordering: .releasing)
        finish(next)
        return next
    }

    /// Runs one call. Returns the position after it; `place` if no call is waiting, or if its input has been
    /// overwritten.
    private func call(at place: Int) -> Int {
        let head = memory.head
        guard place < head.pointee.written.load(ordering: .acquiring) else { return place }
        let bits = memory.calls[memory.slot(place)]
        let frames = Int(bits & ~ExchangeMemory.offlineBit)
        let isOffline = bits & ExchangeMemory.offlineBit != 0
        for channel in 0..<memory.shape.inputs {
            memory.read(processor.inputs[channel], input: channel, at: place, count: frames)
        }
        // If this thread was delayed, the host may have overwritten the input that was read.
        guard head.pointee.written.load(ordering: .acquiring) - place <= memory.capacity - memory.shape.slice else {
            return place
        }
        let begin = prc_monotonic_nanoseconds()
        processor.process(frames: frames, offline: isOffline)
        if !isOffline && prc_monotonic_nanoseconds() &- begin > ExchangeHead.patience {
            head.pointee.hasStalled.store(1, ordering: .relaxed)
        }
        prc_flush_denormals()
        for channel in 0..<memory.shape.outputs {
            memory.write(processor.outputs[channel], output: channel, at: place, count: frames)
        }
        head.pointee.latency.store(latency(), ordering: .relaxed)
        finish(place + frames)
        return place + frames
    }

    /// Restarts the plugin if the host has requested it. Returns whether it did.
    private func restart() -> Bool {
        let asked = memory.head.pointee.restartsAsked.load(ordering: .sequentiallyConsistent)
        guard asked != memory.head.pointee.restarts.load(ordering: .relaxed) else { return false }
        processor.restart(processor.context)
        memory.head.pointee.restarts.store(asked, ordering: .sequentiallyConsistent)
        memory.hostBell.ring()
        return true
    }

    private func finish(_ place: Int) {
        memory.head.pointee.done.store(place, ordering: .sequentiallyConsistent)
        memory.hostBell.ring()
    }

    /// Waits for the next calls. After recent calls, sleeps until the next ones may be due, or for one polling
    /// interval. Offline, and after a longer pause, waits for the bell. `found`: time of the last calls, ns of the
    /// monotonic clock.
    private func rest(at place: Int, since found: UInt64) {
        let quiet = prc_monotonic_nanoseconds() &- found
        let wasOffline = place > 0 && memory.calls[memory.slot(place - 1)] & ExchangeMemory.offlineBit != 0
        if wasOffline || quiet > 4 * period {
            waitForBell(at: place)
        } else {
            let expected = period / 4 * 3
            let nanoseconds = quiet < expected ? expected - quiet : max(50_000, period / 32)
            prc_sleep_microseconds(UInt32(nanoseconds / 1000))
        }
    }

    private func waitForBell(at place: Int) {
        memory.childBell.prepare()
        let head = memory.head
        if head.pointee.written.load(ordering: .sequentiallyConsistent) == place
            && head.pointee.restartsAsked.load(ordering: .sequentiallyConsistent)
                == head.pointee.restarts.load(ordering: .relaxed)
        {
            memory.childBell.rest(milliseconds: 100)
        }
        memory.childBell.dismiss()
    }

    /// Requests a priority one below the audio thread's, once the audio thread's priority is known to be above 1.
    private func takePriority() {
        guard priorityOutcome.load(ordering: .relaxed) == 0 else { return }
        let given = memory.head.pointee.priority.load(ordering: .relaxed)
        guard given > 1 else { return }
        let code = prc_take_realtime_priority(Int32(given - 1))
        priorityOutcome.store(code == 0 ? 1 : -Int(code), ordering: .relaxed)
    }
}
