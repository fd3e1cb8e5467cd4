import Desk
import Foundation
import Loading
import Racks
import Signal
import Stages

extension LiveSession {
    /// The plugins of this machine that could be put into a chain, by name; a first look takes seconds, and the session
    /// goes on meanwhile.
    func knownPlugins() async -> SessionReply {
        let shelf = settings.stage.shelf
        let outcome = await Beside.run("known plugins") { () -> SessionReply in
            do throws(SessionError) { return .knownPlugins(try shelf.usable()) } catch {
                return .refused(error.description)
            }
        }
        switch outcome {
        case .success(let reply): return reply
        case .failure(let error): return .refused(error.description)
        }
    }

    /// What one of a chain is.
    func about(_ name: String) -> SessionReply {
        let inserts = stage.assembly.plugins.inserts
        guard let insert = inserts.first(where: { $0.name == name }) else {
            let known = inserts.map(\.name)
            return .refused(
                "there is no plugin '\(name)'" + (known.isEmpty ? "" : "; there are \(known.joined(separator: ", "))"))
        }
        return .plugin(insert.plugin)
    }
}
