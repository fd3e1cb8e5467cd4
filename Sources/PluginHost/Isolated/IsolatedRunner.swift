import CPlugins
import CRealtime
import Signal
import Synchronization

/// A plugin in a process of its own, as the audio thread runs it: hands over each call's sound and takes what is due, which
/// is the same sound `latency` frames later. What is not there is silence; its place in time is kept.
///
/// Wait-free unless offline: then it waits until the call is done, so that renders repeat bit for bit, with the same
/// latency. Reached by pointer.
struct IsolatedRunner: ~Copyable {
    let memory: ExchangeMemory
    let state: IsolatedState
    /// `[channel][frame]`, in this process alone.
    let inputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    let outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    private var fade: GapFade
    /// Frames handed over, and from which on sound is expected.
    private var place = 0
    private var beginning = 0
    /// What was done when that was last looked at, and since when, in nanoseconds, nothing has come.
    private var heard = 0
    private var since: UInt64 = 0
    private var hasToldPriority = false

    /// A runner of memory that nobody has used yet.
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

    /// Makes `frames` frames.
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
        if offline {
            if !wait(until: place, restarts: 0) { state.leave() }
        } else {
            watch(frames)
        }
        receive(frames)
    }

    /// Begins anew with silence. Only offline: it waits.
    @_noLocks
    mutating func restart() {
        guard !state.isGone else { return }
        let asked = memory.head.pointee.restartsAsked.load(ordering: .relaxed) + 1
        memory.head.pointee.restartsAsked.store(asked, ordering: .sequentiallyConsistent)
        memory.childBell.ring()
        if !wait(until: place, restarts: asked) { state.leave() }
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

    /// Takes what is due: silence before the beginning, sound that is there, or a gap.
    @_noLocks
    private mutating func receive(_ frames: Int) {
        // In this order: what is left out is said before what is done.
        let done = memory.head.pointee.done.load(ordering: .acquiring)
        let first = memory.head.pointee.first.load(ordering: .acquiring)
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

    /// Notices that the child does not answer any more.
    @_noLocks
    private mutating func watch(_ frames: Int) {
        let done = memory.head.pointee.done.load(ordering: .acquiring)
        let now = prc_monotonic_nanoseconds()
        // Nothing but this call is open, or something has come since.
        if done + frames >= place || done != heard {
            (heard, since) = (done, now)
        } else if now &- since > ExchangeHead.patience && place - heard > memory.capacity {
            // Calls came meanwhile: it is not that this thread or the machine was held up.
            state.leave()
        }
        if memory.head.pointee.hasStalled.load(ordering: .relaxed) != 0 { state.leave() }
    }

    /// Waits until so many frames are done and the plugin has begun anew so often; false where it does not come to that.
    @_noLocks
    private func wait(until target: Int, restarts: Int) -> Bool {
        let head = memory.head
        let begin = prc_monotonic_nanoseconds()
        while true {
            memory.hostBell.prepare()
            if head.pointee.done.load(ordering: .sequentiallyConsistent) >= target
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
