import CLilv
import CPlugins
import Inserts
import Signal
import Synchronization

/// Data that the audio thread and the control side of an instance share, apart from its controls.
struct LV2Shared: ~Copyable {
    /// Lock that is held by the thread that calls the plugin.
    let gate = PluginGate()
    /// Last reported latency of the plugin, frames.
    let latency = Atomic<Int>(0)
    /// Number of events that were lost because a queue was full.
    let lost = Atomic<Int>(0)
    /// Whether the instance has ever processed sound.
    let hasRun = Atomic<Bool>(false)
}

/// LV2 instance as the audio thread runs it. It is accessed by pointer; all its data are in the instance's memory.
struct LV2Runner: ~Copyable {
    /// Functions and handle of the plugin.
    let plugin: UnsafePointer<LV2_Descriptor>
    let instance: LV2_Handle
    let shared: UnsafeMutablePointer<LV2Shared>
    let uris = Vocabulary()
    /// Audio buffers, `[channel][frame]`.
    let inputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    let inputCount: Int
    let outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    let outputCount: Int
    let controls: LV2Controls
    let readings: LV2Readings
    /// Index of the reading with the latency; −1 if there is none.
    let latencyReading: Int
    /// Longest accepted latency, frames. A longer latency counts as 0.
    let longestLatency: Int
    /// 1 offline, where a call may take longer, otherwise 0. The plugin may read it.
    let freeWheeling: UnsafeMutablePointer<Float>
    let eventInputs: UnsafeMutablePointer<LV2EventInput>
    let eventInputCount: Int
    let eventOutputs: UnsafeMutablePointer<LV2EventOutput>
    let eventOutputCount: Int
    /// Atoms for the event inputs. The tag of an atom is the index of its input.
    let incoming: MessageRing
    /// Messages of the event outputs.
    let outgoing: MessageRing
    /// Position of the transport, with an increasing number.
    let transport: LatestValue<LV2Transport>
    var heardTransport = 0
    /// Queues of the plugin's worker.
    let work: UnsafeMutablePointer<LV2WorkQueue>

    /// Processes `frames` frames. While the control side calls the plugin, for example to restore a state, the input
    /// passes unchanged if there are as many inputs as outputs; otherwise the output is silent. If `isDeaf`, new
    /// requests wait for a later call. Wait-free unless `offline`; an offline call first waits up to 10 s for the
    /// control side.
    @_noLocks
    mutating func run(frames: Int, offline: Bool, isDeaf: Bool) {
        guard offline ? shared.pointee.gate.enter(within: 10) : shared.pointee.gate.tryEnter() else {
            pass(frames: frames)
            return
        }
        controls.advance(frames: frames, isDeaf: isDeaf)
        freeWheeling.pointee = offline ? 1 : 0
        prepareEvents(isDeaf: isDeaf)
        let hasWork = work.pointee.isOpen
        // Offline the work is done here, after the instance's own thread has completed its present work.
        let isWorking = hasWork && offline && work.pointee.desk.enter(within: 10)
        prc_lv2_run(plugin, instance, UInt32(truncatingIfNeeded: frames))
        if hasWork { finishWork(isWorking) }
        controls.release()
        readings.publish()
        if latencyReading >= 0 { publishLatency(readings.values[latencyReading]) }
        for i in 0..<eventOutputCount { eventOutputs[i].collect(into: outgoing, lost: shared.pointee.lost, uris) }
        shared.pointee.hasRun.store(true, ordering: .relaxed)
        shared.pointee.gate.leave()
    }

    /// Restarts the plugin with silence. Only for offline use, because the plugin may allocate memory.
    @_noLocks
    mutating func restart() {
        guard shared.pointee.gate.enter(within: 10) else { return }
        prc_lv2_restart(plugin, instance)
        controls.settle()
        shared.pointee.gate.leave()
    }

    @_noLocks
    private func finishWork(_ isWorking: Bool) {
        if isWorking {
            // Answers may request more work, so this repeats until there is none. After 64 rounds the rest waits for
            // the next call.
            var rounds = 0
            while work.pointee.workAll(work), rounds < 64 {
                work.pointee.deliver()
                rounds += 1
            }
            work.pointee.desk.leave()
        }
        work.pointee.deliver()
        work.pointee.endRun()
    }

    @_noLocks
    private mutating func prepareEvents(isDeaf: Bool) {
        for i in 0..<eventOutputCount { eventOutputs[i].begin(uris) }
        guard eventInputCount > 0 else { return }
        for i in 0..<eventInputCount { eventInputs[i].begin() }
        if !isDeaf { takeEvents() }
        for i in 0..<eventInputCount { eventInputs[i].end(uris) }
    }

    @_noLocks
    private mutating func takeEvents() {
        let place = transport.load()
        if place.number != heardTransport {
            heardTransport = place.number
            for i in 0..<eventInputCount where eventInputs[i].hearsTime {
                eventInputs[i].put(place.position, uris)
            }
        }
        while let (port, bytes) = incoming.next() {
            let i = Int(port)
            checkIndex(i, below: eventInputCount, "event input of a plugin")
            // Messages for which there is no room wait for the next call.
            guard eventInputs[i].take(from: incoming, bytes: bytes) else { break }
        }
    }

    @_noLocks
    private func publishLatency(_ frames: Float) {
        let (nearest, isOne) = (frames + 0.5, frames >= 0 && frames <= Float(longestLatency))
        shared.pointee.latency.store(isOne ? Int(nearest) : 0, ordering: .relaxed)
    }

    @_noLocks
    private func pass(frames: Int) {
        for i in 0..<outputCount {
            if inputCount == outputCount {
                Samples.copy(inputs[i], to: outputs[i], count: frames)
            } else {
                Samples.clear(outputs[i], count: frames)
            }
        }
    }
}

/// Position of the transport, with a number that distinguishes it from the previous one.
struct LV2Transport: BitwiseCopyable, Sendable {
    var number = 0
    var position = TransportPosition(frame: 0, speed: 0)
}
