import Foundation
import Inserts
import Signal
import Synchronization

/// Instance of a plugin in its own process, as the control thread uses it.
///
/// Calls that change the instance wait for the child's answer, for a bounded time; only `transport` does not wait. If
/// the child has ended, calls that wait throw the reason for its end. Calls that only read return the child's last
/// report; the child reports changes after about a tenth of a second.
///
/// All calls are made by one thread at a time (see `PluginInstance`); the runner belongs to the audio thread. An
/// instance that is released without `close` leaks its memory, because a chain may still use it.
package final class IsolatedInstance: PluginInstance {
    package let plugin: PluginDescription
    package let processor: PluginProcessor
    let memory: ExchangeMemory
    private let line: IsolatedLine
    private let parts: Parts
    private let longestLatency: Int
    private let isClosed = Atomic<Bool>(false)

    /// Timeouts of requests, seconds: of requests that are performed between two calls of the plugin, and of requests
    /// that read or write files.
    private static let (quick, slow) = (2.0, 9.0)

    /// Parts of the instance in this process.
    struct Parts: Sendable {
        let state = IsolatedState()
        let blocks: ThreadOwned<Blocks>
        let runner: ThreadOwned<IsolatedRunner>

        /// Rows of one slice.
        struct Blocks: ~Copyable {
            let inputs: PlanarBlock
            let outputs: PlanarBlock
        }

        init(_ memory: ExchangeMemory) {
            let shape = memory.shape
            blocks = ThreadOwned(
                Blocks(
                    inputs: PlanarBlock(channels: shape.inputs, frames: shape.slice),
                    outputs: PlanarBlock(channels: shape.outputs, frames: shape.slice)))
            runner = ThreadOwned(
                IsolatedRunner(
                    memory, state, inputs: blocks.pointee.inputs.pointers, outputs: blocks.pointee.outputs.pointers))
        }

        func deallocate() {
            runner.deallocate()
            blocks.deallocate()
            state.deallocate()
        }
    }

    /// Creates the host's side of an instance that a child has created.
    init(
        _ plugin: PluginDescription, _ memory: ExchangeMemory, _ line: IsolatedLine, _ parts: Parts,
        longestLatency: Int
    ) {
        self.plugin = plugin
        self.memory = memory
        self.line = line
        self.parts = parts
        self.longestLatency = longestLatency
        processor = PluginProcessor(
            run: { context, frames, mode in
                context?.assumingMemoryBound(to: IsolatedRunner.self).pointee
                    .run(frames: Int(frames), offline: PluginProcessor.isOffline(mode))
            }, restart: { $0?.assumingMemoryBound(to: IsolatedRunner.self).pointee.restart() },
            context: parts.runner.pointer, inputs: parts.blocks.pointee.inputs.pointers,
            inputCount: memory.shape.inputs,
            outputs: parts.blocks.pointee.outputs.pointers, outputCount: memory.shape.outputs,
            departure: parts.state.departure)
    }

    deinit { if !isClosed.load(ordering: .acquiring) { line.abandon() } }

    package var latencyFrames: Int {
        memory.shape.latency + ExchangeReading.latency(memory.head, longest: longestLatency)
    }

    package var health: PluginHealth {
        let report = line.report
        return PluginHealth(
            workerSeconds: report.workerSeconds, lost: report.lost + line.lost,
            log: (report.log + (line.whyEnded.map { [$0] } ?? [])).suffix(32),
            missed: parts.state.missed)
    }

    package func controls() -> [String: Float] { line.report.controls }
    package func readings() -> [String: Float] { line.report.readings }
    package func properties() -> [String: PropertyValue] { line.report.properties }

    package func set(_ symbol: String, to value: Float, within seconds: Double) throws(PluginError) {
        try line.ask(.set(symbol: symbol, value: value, seconds: seconds), within: Self.quick)
    }

    package func set(property: String, to value: PropertyValue) throws(PluginError) {
        try line.ask(.setProperty(property, value), within: Self.quick)
    }

    package func send(midi: [UInt8]) throws(PluginError) { try line.ask(.midi(midi), within: Self.quick) }

    package func transport(_ position: TransportPosition) {
        line.tell(
            .transport(frame: position.frame, speed: position.speed, beatsPerMinute: position.beatsPerMinute))
    }

    package func load(preset: String) throws(PluginError) { try line.ask(.preset(preset), within: Self.slow) }

    package func save(to folder: String) throws(PluginError) {
        try line.ask(.save(Self.absolute(folder)), within: Self.slow)
    }

    package func restore(from folder: String) throws(PluginError) {
        try line.ask(.restore(Self.absolute(folder)), within: Self.slow)
    }

    /// Gives the child `seconds` to close the plugin, and then kills it. Returns false if the child has not ended 5 s
    /// later.
    package func close(within seconds: Double) -> Bool {
        guard !isClosed.load(ordering: .acquiring) else { return true }
        // The child may need time to close the plugin. Unfinished work ends with its process.
        _ = try? line.ask(.close, within: seconds)
        guard line.close() else { return false }
        isClosed.store(true, ordering: .releasing)
        parts.deallocate()
        memory.unmap()
        return true
    }

    /// Returns an absolute path, which does not depend on the current folder of a process.
    private static func absolute(_ folder: String) -> String { URL(fileURLWithPath: folder).path }
}
