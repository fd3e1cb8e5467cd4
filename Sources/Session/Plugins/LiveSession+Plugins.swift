import AudioIO
import Desk
import Foundation
import Loading
import Racks
import Rendering
import Signal
import Stages

extension LiveSession {
    /// Carries out a plugin command. Commands that change a chain run on a thread of their own. Creating an instance
    /// takes up to some tens of milliseconds, the first scan many seconds; the session is not blocked meanwhile.
    func perform(_ command: PluginCommand) async -> SessionReply {
        switch command {
        case .list: return .plugins(stage.assembly.plugins.status)
        case .known: return await knownPlugins()
        case .describe(let identifier): return await describe(identifier)
        case .about(let name): return about(name)
        case .add, .remove, .move, .replace, .bypass, .set, .preset, .restart, .midi, .save, .load: break
        }
        await stageIsBuilt()
        undo.pluginWork += 1
        defer { undo.pluginWork -= 1 }
        let (plugins, period) = (stage.assembly.plugins, stage.client.periodFrames)
        // The motion log takes the changes before and after the command separately.
        takes.follow(stage)
        let refusal = await Self.besides { () throws(SessionError) in try plugins.perform(command, period: period) }
        if let refusal { return .refused(refusal) }
        guard plugins === stage.assembly.plugins else {
            // The folder is written, whichever stage plays now.
            if case .save = command { return .done }
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

    /// Returns when neither a stage nor a print is being built for a server that is back. Both get the plugins of
    /// the time at which the build starts, and would lose later changes.
    func stageIsBuilt() async {
        while outage?.isBuilding == true || staging.revivesPrint { try? await Task.sleep(for: .milliseconds(5)) }
    }

    /// Returns the chains with the states of all plugins. Some plugins need long to save their state. If no thread is
    /// available, saving blocks the session, because losing the states would be worse.
    static func memory(of plugins: PluginRack) async -> PluginRack.Memory {
        switch await Worker.beside("plugin states", { plugins.memory() }) {
        case .success(let memory): memory
        case .failure: plugins.memory()
        }
    }

    /// Runs work on a thread of its own. Returns the reason if it failed, else nil.
    static func besides(_ work: @escaping @Sendable () throws(SessionError) -> Void) async -> String? {
        let outcome = await Worker.beside("session work") { () -> String? in
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

    /// Passes the server's transport to the plugins of all stages and their prints. Marks the transport as changed if
    /// it did not simply advance.
    func lookAtTransport() {
        let (now, frame) = (stage.client.transport, stage.client.frameTime)
        let goesOn =
            server.transport.map { earlier in
                now.goesOn(
                    from: earlier.at, after: Int64(frame &- earlier.frame),
                    tolerance: Int64(2 * stage.client.periodFrames))
            } ?? false
        server.transport = (now, frame)
        for each in stages {
            each.assembly.plugins.follow(now, isNews: !goesOn)
            each.print?.plugins.follow(now, isNews: !goesOn)
        }
    }

    /// Continues pending changes of chains, notes the plugins' remarks, and reports a changed latency to the server.
    func lookAtPlugins() {
        if let played = stage.assembly.renderer.telemetry()?.streamFrame { stage.assembly.plugins.play(from: played) }
        let (remarks, latencyChanged) = stage.assembly.plugins.look()
        // In a blind comparison a remark would reveal which scene is heard.
        for remark in remarks where staging.trial == nil { note(remark) }
        if latencyChanged { stage.client.latencyChanged() }
        // The plugins of unheard stages and of prints continue their changes too, but their remarks are dropped.
        for printed in [stage] + unheard { _ = printed.print?.plugins.look() }
        for other in unheard { _ = other.assembly.plugins.look() }
    }
}
