import CPlugins
import CRealtime
import Gate
import Inserts
import Signal
import Synchronization

/// The child's side of the exchange: runs the plugin on each call's sound as it comes, on a thread of its own.
///
/// Where it is so late that what it would make is past, it leaves out what lies between and goes on with the next call
/// whose sound is still wanted.
///
/// Between calls it sleeps until the next are about to come and then looks for them now and again, so that the audio
/// thread need not wake it: that system call takes 10 µs and more where the other processor is asleep. Offline, and
/// where nothing comes any more, it waits for the bell.
final class HostedRunner: Sendable {
    /// What became of the priority: 0 not asked for, 1 taken, else the system's error number, negative.
    let priorityOutcome = Atomic<Int>(0)
    private let memory: ExchangeMemory
    private let processor: PluginProcessor
    private let latency: @Sendable () -> Int
    private let ending = Atomic<Bool>(false)
    /// Nanoseconds from one period's calls to the next's, at most.
    private let period: UInt64

    /// A runner of a plugin; `latency` tells how late it says it is.
    init(
        _ memory: ExchangeMemory, _ processor: PluginProcessor, sampleRate: Double,
        latency: @escaping @Sendable () -> Int
    ) {
        self.memory = memory
        period = UInt64(Int(clamping: Double(memory.shape.latency) / sampleRate * 1e9, .towardZero, to: 0...1 << 40))
        self.processor = processor
        self.latency = latency
    }

    /// Asks `run` to return. Any thread.
    func end() {
        ending.store(true, ordering: .releasing)
        memory.childBell.ring()
    }

    /// Runs the plugin until the end.
    func run() {
        prc_flush_denormals()
        let head = memory.head
        var place = 0
        // When the newest calls were found, after a rest.
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

    /// Where to go on: at the first call whose sound is still wanted, of those handed over.
    private func current(_ place: Int, _ written: Int) -> Int {
        let wanted = written - memory.shape.latency
        guard place < wanted else { return place }
        // The next call's beginning, so that no call is cut.
        let next = wanted + Int(memory.calls[memory.slot(wanted)] & ~ExchangeMemory.offlineBit)
        memory.head.pointee.first.store(next, ordering: .releasing)
        finish(next)
        return next
    }

    /// Runs one call, if there is one; the place after it.
    private func call(at place: Int) -> Int {
        let head = memory.head
        guard place < head.pointee.written.load(ordering: .acquiring) else { return place }
        let bits = memory.calls[memory.slot(place)]
        let frames = Int(bits & ~ExchangeMemory.offlineBit)
        let isOffline = bits & ExchangeMemory.offlineBit != 0
        for channel in 0..<memory.shape.inputs {
            memory.read(processor.inputs[channel], input: channel, at: place, count: frames)
        }
        // Where this was held up, the host may have gone round and written over what was read.
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

    /// Has the plugin begin anew where that was asked for.
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

    /// Rests until the next calls may have come, of which the last came at `found`.
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

    /// Takes a priority just below the audio thread's, once that is known.
    private func takePriority() {
        guard priorityOutcome.load(ordering: .relaxed) == 0 else { return }
        let given = memory.head.pointee.priority.load(ordering: .relaxed)
        guard given > 1 else { return }
        let code = prc_take_realtime_priority(Int32(given - 1))
        priorityOutcome.store(code == 0 ? 1 : -Int(code), ordering: .relaxed)
    }
}
