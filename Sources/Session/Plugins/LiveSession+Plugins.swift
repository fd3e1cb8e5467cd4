import AudioIO
import Desk
import Foundation
import Loading
import Racks
import Rendering
import Signal
import Stages

extension LiveSession {
    /// Does something with the plugins, on a thread of its own: to make an instance takes up to some tens of
    /// milliseconds, a first scan many seconds, and the session goes on meanwhile. One command at a time.
    func perform(_ command: PluginCommand) async -> SessionReply {
        switch command {
        case .list: return .plugins(stage.assembly.plugins.status)
        case .known: return await knownPlugins()
        case .about(let name): return about(name)
        default: break
        }
        await stageIsBuilt()
        undo.pluginWork += 1
        defer { undo.pluginWork -= 1 }
        let (plugins, period) = (stage.assembly.plugins, stage.client.periodFrames)
        // A motion log has what was before, and what is from here on.
        takes.follow(stage)
        let refusal = await Self.besides { () throws(SessionError) in try plugins.perform(command, period: period) }
        if let refusal { return .refused(refusal) }
        guard plugins === stage.assembly.plugins else {
            return .refused("the stage was prepared anew meanwhile; ask again")
        }
        await mirrorPlugins(command)
        switch command {
        case .add, .replace, .load: tellOfTwoEqualisers()
        default: break
        }
        takes.follow(stage)
        lookAtPlugins()
        return .done
    }

    /// Returns when no stage is being built for a server that is back: it has the plugins as they were when that began.
    func stageIsBuilt() async {
        while outage?.isBuilding == true { try? await Task.sleep(for: .milliseconds(5)) }
    }

    /// Chains with all their state, which plugins may take their time to tell. Without a thread of its own it holds up
    /// the session meanwhile: what plugins are set to is worth more.
    static func memory(of plugins: PluginRack) async -> PluginRack.Memory {
        switch await Beside.run("plugin states", { plugins.memory() }) {
        case .success(let memory): memory
        case .failure: plugins.memory()
        }
    }

    /// Works on a thread of its own; returns why it failed, nil where it did not.
    static func besides(_ work: @escaping @Sendable () throws(SessionError) -> Void) async -> String? {
        let outcome = await Beside.run("session work") { () -> String? in
            do throws(SessionError) {
                try work()
                return nil
            } catch {
                return error.description
            }
        }
        switch outcome {
        case .success(let reason): return reason
        case .failure(let error): return error.description
        }
    }

    /// Tells plugins of the server's transport where it did not just go on.
    func lookAtTransport() {
        let (now, frame) = (stage.client.transport, stage.client.frameTime)
        let goesOn =
            server.transport.map { earlier in
                now.goesOn(
                    from: earlier.at, after: Int64(frame &- earlier.frame),
                    tolerance: Int64(2 * stage.client.periodFrames))
            } ?? false
        server.transport = (now, frame)
        stage.assembly.plugins.follow(now, isNews: !goesOn)
    }

    /// Goes on with changes of chains, tells what plugins do, and has the server hear of another latency.
    func lookAtPlugins() {
        if let played = stage.assembly.renderer.telemetry()?.streamFrame { stage.assembly.plugins.play(from: played) }
        let (remarks, latencyChanged) = stage.assembly.plugins.look()
        for remark in remarks { note(remark) }
        if latencyChanged { stage.client.latencyChanged() }
        // What is not heard says nothing, and goes on all the same.
        for printed in [stage] + unheard { _ = printed.print?.plugins.look() }
        for other in unheard { _ = other.assembly.plugins.look() }
    }
}
