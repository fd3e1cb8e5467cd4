import Desk
import Foundation
import Loading
import Racks
import Signal
import Stages

extension LiveSession {
    /// Returns the installed plugins that fit a chain, by name. A first scan takes seconds, on a thread of its own.
    func knownPlugins() async -> SessionReply {
        let shelf = settings.stage.shelf
        let outcome = await Worker.beside("known plugins") { () -> SessionReply in
            do throws(SessionError) { return .knownPlugins(try shelf.usable()) } catch {
                return .refused(error.description)
            }
        }
        switch outcome {
        case .success(let reply): return reply
        case .failure(let error): return .refused(error.description)
        }
    }

    /// Returns the description of a plugin in a chain.
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
