import CPlugins
import CRealtime
import Signal
import Synchronization

/// Plugin in its own process, as the audio thread runs it. The runner passes the input of each call to the child and
/// returns the output that is due, `latency` frames after its input. Missing output is replaced by silence, so that
/// later sound keeps its time.
///
/// Calls are wait-free, except offline. Offline, a call waits until the child has processed it, so that renders are
/// bit-identical; the latency is the same. The runner is accessed by pointer.
struct IsolatedRunner: ~Copyable {
    let memory: ExchangeMemory
    let state: IsolatedState
    /// Input and output samples of one call, `[channel][frame]`, private to this process.
    let inputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    let outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private var fade: GapFade
    /// Number of frames passed to the child, and position from which output is expected.
    private var place = 0
    private var beginning = 0
    /// Number of restarts requested of the child.
    private var restartsAsked = 0
    /// Progress of the child.
    private var reading = ExchangeReading()
    /// Progress of the child at the last change, and time of that change, ns.
    private var heard = 0
    private var since: UInt64 = 0
    private var hasToldPriority = false

    /// Creates a runner that has passed no frames yet.
    init(
        _ memory: ExchangeMemory, _ state: IsolatedState,
        inputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>,
        outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    ) {
        self.memory = memory
        self.state = state
        self.inputs = inputs
        self.outputs = outputs
        fade = GapFade(channels: memory.shape.outputs)
    }

    /// Processes a call of `frames` frames; does nothing for 0.
    @_noLocks
    mutating func run(frames: Int, offline: Bool) {
        guard frames > 0 else { return }
        guard !state.isGone else {
            fade.pass(outputs, from: 0, count: frames, isGap: true)
            return
        }
        if !offline && !hasToldPriority {
            hasToldPriority = true
            memory.head.pointee.priority.store(Int(prc_realtime_priority()), ordering: .relaxed)
        }
        send(frames, offline: offline)
        if offline && !wait(until: place, restarts: 0) { state.leave(.silent) }
        // Impossible numbers end the instance.
        guard reading.look(memory.head, place: place) else {
            state.leave(.overwritten)
            fade.pass(outputs, from: 0, count: frames, isGap: true)
            return
        }
        if !offline { watch(frames) }
        receive(frames)
    }

    /// Restarts the plugin with silence. Only for offline use, because the call waits for the child.
    @_noLocks
    mutating func restart() {
        guard !state.isGone else { return }
        restartsAsked += 1
        memory.head.pointee.restartsAsked.store(restartsAsked, ordering: .sequentiallyConsistent)
        memory.childBell.ring()
        if !wait(until: place, restarts: restartsAsked) { state.leave(.silent) }
        beginning = place
        fade.restart()
    }

    // MARK: Sound

    @_noLocks
    private mutating func send(_ frames: Int, offline: Bool) {
        for channel in 0..<memory.shape.inputs {
            memory.write(inputs[channel], input: channel, at: place, count: frames)
        }
        let bits = offline ? ExchangeMemory.offlineBit : 0
        for i in 0..<frames {
            memory.calls[memory.slot(place + i)] = UInt32(truncatingIfNeeded: frames - i) | bits
        }
        place += frames
        memory.head.pointee.written.store(place, ordering: .sequentiallyConsistent)
        memory.childBell.ring()
    }

    /// Reads the output that is due: silence before the start, sound, or a gap.
    @_noLocks
    private mutating func receive(_ frames: Int) {
        let (done, first) = (reading.done, reading.first)
        let due = place - frames - memory.shape.latency
        var (i, isWhole) = (0, true)
        while i < frames {
            let at = due + i
            var count = frames - i
            if at < beginning {
                count = min(count, beginning - at)
                for channel in 0..<memory.shape.outputs { Samples.clear(outputs[channel] + i, count: count) }
                fade.pass(outputs, from: i, count: count, isGap: false)
            } else if at < first || at >= done {
                if at < first { count = min(count, first - at) }
                fade.pass(outputs, from: i, count: count, isGap: true)
                isWhole = false
            } else {
                count = min(count, done - at)
                for channel in 0..<memory.shape.outputs {
                    memory.read(outputs[channel] + i, output: channel, at: at, count: count)
                }
                fade.pass(outputs, from: i, count: count, isGap: false)
            }
            i += count
        }
        if !isWhole { state.miss() }
    }

    // MARK: The child

    /// Marks the instance as gone if the child no longer answers.
    @_noLocks
    private mutating func watch(_ frames: Int) {
        let done = reading.done
        let now = prc_monotonic_nanoseconds()
        // Only this call is incomplete, or the child has made progress.
        if done + frames >= place || done != heard {
            (heard, since) = (done, now)
        } else if now &- since > ExchangeHead.patience && place - heard > memory.capacity {
            // Calls continued meanwhile, so this thread and the machine were not stopped.
            state.leave(.silent)
        }
        if memory.head.pointee.hasStalled.load(ordering: .relaxed) != 0 { state.leave(.silent) }
    }

    /// Waits until `target` frames are done and the plugin has restarted `restarts` times. Returns false if the
    /// instance has gone or does not answer in time.
    @_noLocks
    private mutating func wait(until target: Int, restarts: Int) -> Bool {
        let head = memory.head
        let begin = prc_monotonic_nanoseconds()
        while true {
            memory.hostBell.prepare()
            guard reading.look(head, place: place) else {
                state.leave(.overwritten)
                return false
            }
            if reading.done >= target
                && head.pointee.restarts.load(ordering: .sequentiallyConsistent) >= restarts
            {
                memory.hostBell.dismiss()
                return true
            }
            guard !state.isGone,
                prc_monotonic_nanoseconds() &- begin < ExchangeHead.patienceOffline
            else { return false }
            memory.hostBell.rest(milliseconds: 50)
        }
    }
}
