import CRealtime
import Foundation
import Inserts
import Processes
import Signal
import Synchronization

/// The child's side of an isolated instance, which is a plugin instance in a process of its own. It creates the
/// instance, runs it on one thread, and performs the host's requests on another.
///
/// The process ends with the host, whatever the plugin does: the thread that reads standard input ends the process when
/// standard input ends.
package enum HostingChild {
    /// Descriptor of the shared memory, which the host passes.
    private static let passed: Int32 = 3
    /// Seconds without a request after which changes are reported.
    private static let rhythm = 0.1

    /// Serves one instance until the host closes it. `backend` returns a backend for the plugins in a search path.
    package static func run(_ backend: ([String]) -> any PluginBackend) -> Never {
        let inbox = LineInbox()
        let parent = ParentLine { inbox.put($0) }
        var hosted: Hosted?
        var told = IsolatedTalk.Report()
        while true {
            guard let line = inbox.take(within: rhythm) else {
                if let report = hosted?.report, report != told {
                    told = report
                    parent.say(ChildMessage.line(IsolatedTalk.Answer(number: 0, report: report)))
                    parent.trim()
                }
                continue
            }
            guard let question = ChildMessage.read(IsolatedTalk.Question.self, line) else { continue }
            var answer = IsolatedTalk.Answer(number: question.number)
            do throws(PluginError) {
                if case .make(let making) = question.request {
                    let made = try Hosted(making, by: backend(making.searchPath), over: passed)
                    answer.made = made.instance.plugin
                    hosted = made
                } else {
                    try hosted?.perform(question.request)
                }
            } catch {
                answer.error = error
            }
            told = hosted?.report ?? told
            answer.report = told
            if question.number != 0 { parent.say(ChildMessage.line(answer)) }
            if case .close = question.request { parent.end() }
        }
    }
}

/// Instance in the child, with the thread that runs it.
private final class Hosted {
    let instance: any PluginInstance
    private let runner: HostedRunner
    private let thread = Worker(name: "plugin-run")

    init(
        _ making: IsolatedTalk.Making, by backend: any PluginBackend, over descriptor: Int32
    ) throws(PluginError) {
        let (plugin, shape) = (making.plugin, making.shape)
        guard let sampleRate = SampleRate(hertz: making.sampleRate) else {
            throw .failed(identifier: plugin.identifier, reason: "\(making.sampleRate) Hz is not a valid sampling rate")
        }
        guard let memory = ExchangeMemory(descriptor, shape, isNew: false) else {
            throw .failed(
                identifier: plugin.identifier, reason: "no shared memory: \(String(cString: strerror(errno)))")
        }
        let made = try backend.instantiate(
            plugin,
            PluginSetup(
                sampleRate: sampleRate, slice: shape.slice, isFixed: making.isFixed, isLive: making.isLive))
        let processor = made.processor
        guard processor.inputCount == shape.inputs, processor.outputCount == shape.outputs else {
            throw .failed(
                identifier: plugin.identifier,
                reason: "it has \(processor.inputCount) inputs and \(processor.outputCount) outputs, not "
                    + "\(shape.inputs) and \(shape.outputs) as described")
        }
        memory.head.pointee.latency.store(made.latencyFrames, ordering: .relaxed)
        let runner = HostedRunner(memory, processor, sampleRate: making.sampleRate) { made.latencyFrames }
        do throws(WorkerError) { try thread.start { _ in runner.run() } } catch {
            throw .failed(identifier: plugin.identifier, reason: error.description)
        }
        instance = made
        self.runner = runner
    }

    func perform(_ request: IsolatedTalk.Request) throws(PluginError) {
        switch request {
        case .make: break
        case .set(let symbol, let value, let seconds): try instance.set(symbol, to: value, within: seconds)
        case .setProperty(let property, let value): try instance.set(property: property, to: value)
        case .midi(let bytes): try instance.send(midi: bytes)
        case .transport(let frame, let speed, let beats):
            instance.transport(TransportPosition(frame: frame, speed: speed, beatsPerMinute: beats))
        case .preset(let preset): try instance.load(preset: preset)
        case .save(let folder): try instance.save(to: folder)
        case .restore(let folder): try instance.restore(from: folder)
        case .close:
            runner.end()
            // A thread that does not return ends with the process.
            if thread.join(within: 1) { _ = instance.close(within: 1) }
        }
    }

    var report: IsolatedTalk.Report {
        let health = instance.health
        var log = health.log
        let outcome = runner.priorityOutcome.load(ordering: .relaxed)
        if outcome < 0 {
            log.append("it runs without real-time priority: \(String(cString: strerror(Int32(-outcome))))")
        }
        return IsolatedTalk.Report(
            controls: instance.controls(), readings: instance.readings(), properties: instance.properties(),
            workerSeconds: health.workerSeconds, lost: health.lost, log: log)
    }
}
