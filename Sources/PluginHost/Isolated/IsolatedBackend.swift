import CPlugins
import Foundation
import Inserts
import Processes
import Signal

/// Plugins of another backend, with each instance in a process of its own, so that its failures stay there.
///
/// Cost of an instance: one period of latency (`PluginSetup.period`, in whole slices), a process, and a few
/// microseconds per call on the audio thread. Where its process crashes, hangs, or is late, its output is silence until
/// the chain has removed it.
package struct IsolatedBackend: PluginBackend {
    private let inner: any PluginBackend
    private let program: String
    private let words: [String]
    private let seconds: Double

    /// Makes a backend whose instances run in children.
    ///
    /// - Parameters:
    ///   - inner: backend of the plugins.
    ///   - program: program of the child; this program itself by default.
    ///   - words: arguments of the child; it must run `HostingChild` with the same backend.
    ///   - seconds: longest time for making an instance.
    package init(
        _ inner: any PluginBackend, program: String = "/proc/self/exe", words: [String] = ["plugin", "host"],
        seconds: Double = 9
    ) {
        self.inner = inner
        self.program = program
        self.words = words
        self.seconds = seconds
    }

    package var searchPath: [String] { inner.searchPath }
    package func bundles() -> [String] { inner.bundles() }
    package func presetOwners(of bundle: String) -> [String] { inner.presetOwners(of: bundle) }
    package func describe(bundle: String) throws(PluginError) -> [PluginDescription] {
        try inner.describe(bundle: bundle)
    }

    package func instantiate(_ plugin: PluginDescription, _ setup: PluginSetup) throws(PluginError)
        -> any PluginInstance
    {
        if let refusal = plugin.refusal { throw .refused(identifier: plugin.identifier, reason: refusal) }
        let shape = ExchangeShape(
            inputs: plugin.audioInputs.count, outputs: plugin.audioOutputs.count, slice: setup.slice,
            period: setup.period)
        let descriptor = prc_make_shared_memory(ExchangeMemory.bytes(shape))
        let code = errno
        defer { if descriptor >= 0 { close(descriptor) } }
        guard descriptor >= 0, let memory = ExchangeMemory(descriptor, shape, isNew: true) else {
            throw .failed(
                identifier: plugin.identifier,
                reason: "no memory to share with its process: \(String(cString: strerror(code)))")
        }
        let child: ChildProcess
        do throws(PluginError) {
            child = try ChildProcess.forPlugins(program, words, passing: descriptor)
        } catch {
            memory.unmap()
            throw error
        }
        let parts = IsolatedInstance.Parts(memory)
        let line: IsolatedLine
        do throws(PluginError) {
            line = try IsolatedLine(child, identifier: plugin.identifier, parts.state)
        } catch {
            parts.deallocate()
            memory.unmap()
            throw error
        }
        do throws(PluginError) {
            let making = IsolatedTalk.Making(
                plugin: plugin, searchPath: searchPath, sampleRate: setup.sampleRate.hertz, isFixed: setup.isFixed,
                isLive: setup.isLive, shape: shape)
            let made = try line.ask(.make(making), within: seconds).made
            return IsolatedInstance(
                try plugin.made(made), memory, line, parts, longestLatency: setup.longestLatency)
        } catch {
            if line.close() {
                parts.deallocate()
                memory.unmap()
            }
            throw error
        }
    }
}

extension PluginDescription {
    /// Returns the description as the child made it, at its sampling rate; the shared memory was laid out for this one.
    /// - Throws: where it is another plugin, or has other channels.
    fileprivate func made(_ made: PluginDescription?) throws(PluginError) -> PluginDescription {
        guard let made else { return self }
        guard made.identifier == identifier, made.audioInputs.count == audioInputs.count,
            made.audioOutputs.count == audioOutputs.count, made.controls.count <= IsolatedTalk.mostValues,
            made.properties.count <= IsolatedTalk.mostValues
        else { throw .failed(identifier: identifier, reason: "its process made something else of it") }
        return made
    }
}
