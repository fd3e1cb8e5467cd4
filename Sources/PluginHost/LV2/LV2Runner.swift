import CLilv
import CPlugins
import Inserts
import Signal
import Synchronization

/// What the audio thread and the control side of an instance share beside its controls.
struct LV2Shared: ~Copyable {
    /// Entered by the thread that calls the plugin.
    let gate = PluginGate()
    /// Frames by which its output is late, as it last said.
    let latency = Atomic<Int>(0)
    /// Events that found a queue full.
    let lost = Atomic<Int>(0)
    /// Whether it has ever sounded.
    let hasRun = Atomic<Bool>(false)
}

/// One LV2 instance as the audio thread runs it. Reached by pointer; all it leads to lies in the instance's memory.
struct LV2Runner: ~Copyable {
    /// The plugin's functions and its instance.
    let plugin: UnsafePointer<LV2_Descriptor>
    let instance: LV2_Handle
    let shared: UnsafeMutablePointer<LV2Shared>
    let uris = Vocabulary()
    /// Sound, `[channel][frame]`.
    let inputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    let inputCount: Int
    let outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
    let outputCount: Int
    let controls: LV2Controls
    let readings: LV2Readings
    /// Which reading is the latency; −1: none.
    let latencyReading: Int
    /// The most frames of latency that it is taken at its word for.
    let longestLatency: Int
    /// 1 where it may take its time; the plugin may read it.
    let freeWheeling: UnsafeMutablePointer<Float>
    let eventInputs: UnsafeMutablePointer<LV2EventInput>
    let eventInputCount: Int
    let eventOutputs: UnsafeMutablePointer<LV2EventOutput>
    let eventOutputCount: Int
    /// Atoms for the event inputs, by their numbers as tags.
    let incoming: MessageRing
    /// What the event outputs say.
    let outgoing: MessageRing
    /// Where the transport is, with a number that grows.
    let transport: LatestValue<LV2Transport>
    var heardTransport = 0
    /// Its work.
    let work: UnsafeMutablePointer<LV2WorkQueue>

    /// Makes `frames` frames. While the control side is in the plugin (it takes back a state), what goes in comes out
    /// as it is where there are as many channels on both sides, else silence. `isDeaf`: what it is asked for waits for
    /// a later call. Wait-free unless `offline`.
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
        // Offline the work is done here, after what the instance's own thread has begun.
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

    /// Has the plugin begin anew with silence. Only offline: it may allocate.
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
            // Answers may ask for more work, so to the end of it; a plugin that never comes to one goes on in the next
            // call.
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
            // What finds no room waits for the next call.
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

/// Where the transport is, with a number that tells it from the one before.
struct LV2Transport: BitwiseCopyable, Sendable {
    var number = 0
    var position = TransportPosition(frame: 0, speed: 0)
}
