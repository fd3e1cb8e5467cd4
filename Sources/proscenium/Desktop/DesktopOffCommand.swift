import ArgumentParser
import Desktop
import Foundation
import SavedSessions

/// `proscenium desktop off`: ends the session and removes the sinks, and all that `desktop on` has written. The rules
/// for programs stay, as they are the user's.
struct DesktopOffCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "off", abstract: "Removes the sink, and restores the former default sink.",
        discussion: "Example: proscenium desktop off")

    func run() async throws {
        let folder = SessionDocument.stateFolder
        guard let record = try DesktopRecord.saved(in: folder) else { return print("off") }
        // The programs move to the former sink before their present one is removed.
        if let tools = try? PipeWireTools.here {
            DesktopDefault.restore(record, tools)
            for (stream, sink) in (try? tools.graph())?.targets ?? [:] where sink.hasPrefix(DesktopSink.prefix) {
                _ = tools.place(stream: stream, sink: nil)
            }
        }
        await DesktopService.end(record)
        LastValues.remove(LastValues.path(of: DesktopRecord.session, in: LastValues.folder))
        DesktopRecord.remove(in: folder)
        print("off: '\(try DesktopSink(layout: record.layout).description)' is removed")
    }
}
