import CPlugins
import Foundation
import Inserts
import Processes
import Signal

/// Backend that runs each plugin instance of another backend in a process of its own, in which its failures are
/// contained.
///
/// Cost of an instance: one period of latency (`PluginSetup.period`, rounded up to whole slices), a process, and some
/// microseconds per call on the audio thread. If the process is late, the missing output is silence. If the process
/// crashes or hangs, the output is silence until the chain has removed the instance.
package struct IsolatedBackend: PluginBackend {
    private let inner: any PluginBackend
    private let program: String
    private let words: [String]
    private let seconds: Double

    /// Creates a backend whose instances run in child processes.
    ///
    /// - Parameters:
    ///   - inner: backend of the plugins.
    ///   - program: program of the child; by default this program itself.
    ///   - words: arguments of the child, which must run `HostingChild` with the same backend.
    ///   - seconds: longest time for creating an instance.
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
    /// Returns `made`, the description of the instance that the child created, with values for the instance's sample
    /// rate. Returns this description if the child sent none.
    ///
    /// - Throws: `failed` if the instance is of another plugin, has other numbers of channels than the shared memory,
    ///   or has too many controls or properties.
    fileprivate func made(_ made: PluginDescription?) throws(PluginError) -> PluginDescription {
        guard let made else { return self }
        guard made.identifier == identifier, made.audioInputs.count == audioInputs.count,
            made.audioOutputs.count == audioOutputs.count, made.controls.count <= IsolatedTalk.mostValues,
            made.properties.count <= IsolatedTalk.mostValues
        else {
            throw .failed(
                identifier: identifier, reason: "its process created an instance that does not match the description")
        }
        return made
    }
}
