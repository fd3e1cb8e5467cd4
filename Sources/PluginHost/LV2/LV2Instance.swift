import CLilv
import CPlugins
import CRealtime
import Foundation
import Inserts
import Signal
import Synchronization

/// Instance of an LV2 plugin as the control thread uses it.
///
/// Invariant (reason for `@unchecked Sendable`): one thread at a time makes all calls (see `PluginInstance`), except
/// those of `processor`, `controls()`, `readings()`, `latencyFrames` and `health`, which read only thread-safe data. If
/// an instance is released without `close`, all that the plugin may use stays allocated, because a chain may still run
/// the plugin.
package final class LV2Instance: PluginInstance, @unchecked Sendable {
    package var plugin: PluginDescription { parts.plugin }
    package let processor: PluginProcessor
    /// Plugin, memory, ports and worker from which the instance is made.
    let parts: LV2Parts
    let shared: UnsafeMutablePointer<LV2Shared>
    let incoming: MessageRing
    let outgoing: MessageRing
    let transport: LatestValue<LV2Transport>

    /// Last requested values of the controls, in their order. They may be used on any thread.
    let asked: Mutex<[Float]>
    /// Values of properties that the plugin has reported since the last restored state.
    var told: [String: PropertyValue] = [:]
    /// Values of properties that were set since the last restored state, whether or not the plugin reports them.
    var given: [String: PropertyValue] = [:]
    /// MIDI messages of the plugin that `takeMIDI` has not returned yet.
    var heardMIDI: [[UInt8]] = []
    /// Number of transport positions sent so far.
    var transports = 0
    /// Lines of the plugin's log, read when the instance was closed; nil while it is open. `health` may be called on
    /// any thread: it reads under this lock, and `close` frees nothing before it has set the lines.
    private let lastLog = Mutex<[String]?>(nil)

    /// Size of each queue of messages to and from the plugin, bytes.
    static let queueBytes = 1 << 16

    /// Creates an instance from its parts; see `LV2Maker`.
    init(_ parts: LV2Parts) {
        self.parts = parts
        let (memory, wiring) = (parts.memory, parts.wiring)
        shared = memory.one(LV2Shared())
        incoming = memory.messages(Self.queueBytes)
        outgoing = memory.messages(Self.queueBytes)
        let transport = LatestValue(LV2Transport())
        memory.whenFreed { transport.deallocate() }
        self.transport = transport
        asked = Mutex(wiring.controlList.map(\.initial))
        let runner = Self.runner(parts, shared, incoming, outgoing, transport)
        processor = PluginProcessor(
            run: { context, frames, mode in
                context?.assumingMemoryBound(to: LV2Runner.self).pointee.run(
                    frames: Int(frames), offline: PluginProcessor.isOffline(mode),
                    isDeaf: PluginProcessor.isDeaf(mode))
            }, restart: { context in context?.assumingMemoryBound(to: LV2Runner.self).pointee.restart() },
            context: runner, inputs: wiring.inputs, inputCount: parts.plugin.audioInputs.count, outputs: wiring.outputs,
            outputCount: parts.plugin.audioOutputs.count)
    }

    private static func runner(
        _ parts: LV2Parts, _ shared: UnsafeMutablePointer<LV2Shared>, _ incoming: MessageRing,
        _ outgoing: MessageRing, _ transport: LatestValue<LV2Transport>
    ) -> UnsafeMutablePointer<LV2Runner> {
        let (memory, wiring) = (parts.memory, parts.wiring)
        let eventInputs = memory.bytes(MemoryLayout<LV2EventInput>.stride * wiring.eventInputs.count)
            .bindMemory(to: LV2EventInput.self, capacity: wiring.eventInputs.count)
        let eventOutputs = memory.bytes(MemoryLayout<LV2EventOutput>.stride * wiring.eventOutputs.count)
            .bindMemory(to: LV2EventOutput.self, capacity: wiring.eventOutputs.count)
        for (i, input) in wiring.eventInputs.enumerated() { eventInputs[i] = input }
        for (i, output) in wiring.eventOutputs.enumerated() { eventOutputs[i] = output }
        return memory.one(
            LV2Runner(
                plugin: parts.lilvInstance.pointee.lv2_descriptor, instance: parts.lilvInstance.pointee.lv2_handle,
                shared: shared, inputs: wiring.inputs, inputCount: parts.plugin.audioInputs.count,
                outputs: wiring.outputs, outputCount: parts.plugin.audioOutputs.count, controls: wiring.controls,
                readings: wiring.readings, latencyReading: wiring.latencyReading,
                longestLatency: parts.setup.longestLatency, freeWheeling: wiring.freeWheeling, eventInputs: eventInputs,
                eventInputCount: wiring.eventInputs.count, eventOutputs: eventOutputs,
                eventOutputCount: wiring.eventOutputs.count, incoming: incoming, outgoing: outgoing,
                transport: transport, work: parts.worker.queue))
    }

    package var latencyFrames: Int { shared.pointee.latency.load(ordering: .relaxed) }

    package var health: PluginHealth {
        lastLog.withLock { lastLog in
            // The queues and the log are freed at the close.
            if let lastLog { return PluginHealth(log: lastLog) }
            let queue = parts.worker.queue
            let lost = shared.pointee.lost.load(ordering: .relaxed) + queue.pointee.lost.load(ordering: .relaxed)
            return PluginHealth(
                workerSeconds: parts.worker.seconds, hasWaitingWork: !queue.pointee.requests.isEmpty, lost: lost,
                log: parts.log.read())
        }
    }

    /// Whether the instance has processed sound since it was created.
    var hasRun: Bool { shared.pointee.hasRun.load(ordering: .relaxed) }

    package func close(within seconds: Double) -> Bool {
        guard lastLog.withLock({ $0 == nil }) else { return true }
        let begin = prc_monotonic_nanoseconds()
        guard parts.worker.stop(within: seconds) else { return false }
        // The wait for the audio thread gets what the worker has left of `seconds`.
        let left = max(0, seconds - Double(prc_monotonic_nanoseconds() &- begin) / 1e9)
        guard shared.pointee.gate.enter(within: left) else { return false }
        lastLog.withLock { $0 = parts.log.read() }
        lilv_instance_deactivate(parts.lilvInstance)
        lilv_instance_free(parts.lilvInstance)
        // The plugin may log while it is freed.
        lastLog.withLock { $0 = parts.log.read() }
        parts.memory.deallocate()
        return true
    }
}
