import Desk
import Foundation
import Loading
import Racks
import Signal
import Stages

extension LiveSession {
    /// Returns the installed plugins that fit a chain. The first scan takes seconds and runs on a thread of its own.
    func knownPlugins() async -> SessionReply {
        let shelf = settings.stage.shelf
        return await Self.aside {
            do throws(SessionError) { return .knownPlugins(try shelf.usable()) } catch {
                return .refused(error.description)
            }
        }
    }

    /// Returns the description of an installed plugin, by its identifier. The first scan takes seconds and runs on a
    /// thread of its own.
    func describe(_ identifier: String) async -> SessionReply {
        let shelf = settings.stage.shelf
        return await Self.aside {
            do throws(SessionError) { return .plugin(try shelf.describe(identifier)) } catch {
                return .refused(error.description)
            }
        }
    }

    /// Returns the reply of work on a thread of its own.
    private static func aside(_ work: @escaping @Sendable () -> SessionReply) async -> SessionReply {
        switch await Worker.beside("known plugins", work) {
        case .success(let reply): reply
        case .failure(let error): .refused(error.description)
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
