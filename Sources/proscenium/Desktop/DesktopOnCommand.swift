import ArgumentParser
import Control
import Desktop
import Foundation
import Loading
import SavedSessions

/// `proscenium desktop on`: sets the sink up, and starts the session that plays it.
struct DesktopOnCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "on",
        abstract: "Makes the sink, and plays its sound to your headphones now and after each login.",
        discussion: """
            Example: proscenium desktop on --layout 7.1.4 --default --head osc:9000 --panel 8150

            A service of the user's systemd runs the session, or a process of its own where no systemd runs. Other options are \
            those of 'run' for the stage and its programme, the room, the headphones, plugins, trackers, a lost route and \
            control. The layout is 7.1 unless --layout names another; a stereo sink is upmixed. The output limiter is \
            lookahead, with 3 dB of headroom (--gain -3), so that no peak exceeds -1 dBTP. The ears are connected to a sink \
            that is known to be headphones: by its port, by the form of its device, or because you name it with --output. \
            Notifications and programs for calls bypass the stage; 'desktop rule' changes that.
            """)

    @Option(
        help: ArgumentHelp(
            "The headphones' sink, by its name, its description or its number in 'wpctl status'; by naming it you state that it is headphones.",
            valueName: "sink"))
    var output: String?
    @Flag(
        name: .customLong("default"),
        help: "Make the sink the default sink, to which programs play unless told otherwise.")
    var isDefault = false
    @OptionGroup var stage: StageOptions
    @OptionGroup(title: "Head tracking") var tracking: TrackingOptions
    @OptionGroup(title: "JACK") var routes: RouteOptions
    @OptionGroup(title: "Control") var doors: DoorOptions

    func run() async throws {
        let interrupt = DesktopService.makeInterrupt()
        let tools = try PipeWireTools.here
        let graph = try tools.graph()
        guard graph.manager != nil else {
            throw Failure(
                .environment, "no session manager of PipeWire runs; this starts it: systemctl --user start wireplumber")
        }
        let folder = SessionDocument.stateFolder
        let former = try DesktopRecord.saved(in: folder)
        let typed = DesktopRecipe.options(Array(TypedWords.all.dropFirst(2)))
        let recipe = try DesktopRecipe(typed: typed, try StreamRules(in: folder))
        let sink = try DesktopSink(layout: recipe.layout)
        let found = try DesktopOutput.find(output, in: graph)
        // The options are parsed as the service will parse them, with the config file's.
        _ = try Defaults.parse(DesktopRecipe.words, desktop: recipe)
        guard former != nil || !SessionSockets.running().contains(DesktopRecord.session) else {
            throw Failure(
                .usage,
                "a session named '\(DesktopRecord.session)' runs already; end it: proscenium ctl --to \(DesktopRecord.session) quit"
            )
        }
        if let former { await DesktopService.end(former) }
        // Whether the former record's choice of the default sink is still in force. If not, the user's choice is kept.
        let stays = former.map { $0.placedDefault != nil && $0.placedDefault == graph.chosenSink } ?? false
        let unit = SystemdUnit()
        var record = DesktopRecord(
            layout: sink.layout, output: found, inputs: recipe.inputs, options: typed.texts,
            service: unit == nil ? .process : .systemd,
            isDefault: isDefault || former?.isDefault == true && stays,
            placedDefault: stays ? former?.placedDefault : nil,
            formerDefault: stays ? former?.formerDefault : nil, place: FileManager.default.currentDirectoryPath)
        try record.write(in: folder)
        do {
            try DesktopService.begin(record, tools)
            try await DesktopService.wait(for: record, tools, interrupt)
            try await DesktopDefault.settle(sink, &record, before: graph, tools)
        } catch {
            await DesktopService.end(record)
            // A choice that stays belongs to the former record.
            if !stays { DesktopDefault.restore(record, tools) }
            guard let former, Self.begins(former, again: tools, in: folder) else {
                if stays { DesktopDefault.restore(record, tools) }
                DesktopRecord.remove(in: folder)
                throw error
            }
            throw error
        }
        print("on: programs that play to '\(sink.description)' are heard at '\(found.description)'")
        if !record.isDefault {
            print("it is not the default sink; --default or your desktop's sound settings make it the default")
        }
        print("to remove it: proscenium desktop off")
    }

    /// Starts the service of the former record again, after a failure, and tells the user. Returns false if that fails.
    private static func begins(_ former: DesktopRecord, again tools: PipeWireTools, in folder: String) -> Bool {
        do {
            try former.write(in: folder)
            try DesktopService.begin(former, tools)
            say("the former setup is restored: \(former.line)")
            return true
        } catch {
            say("the former setup cannot be restored: \(error)")
            return false
        }
    }
}
