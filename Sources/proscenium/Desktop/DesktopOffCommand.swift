import ArgumentParser
import Desktop
import Foundation
import SavedSessions

/// `proscenium desktop off`: ends the session and removes the sink, and all that `desktop on` has written.
struct DesktopOffCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "off", abstract: "Removes the sink; the default sink is again as it was before.",
        discussion: "Example: proscenium desktop off")

    func run() async throws {
        let folder = SavedSession.stateFolder
        guard let record = try DesktopRecord(in: folder) else { return print("off") }
        // The former default sink is restored first, so that programs move to it before their sink is removed.
        if let tools = try? PipeWireTools.here { DesktopDefault.restore(record, tools) }
        await DesktopService.end(record)
        unlink(LastValues.path(of: DesktopRecord.session, in: LastValues.folder))
        DesktopRecord.remove(in: folder)
        print("off: '\(try DesktopSink(layout: record.layout).description)' is gone")
    }
}
