import ArgumentParser
import AudioIO
import Foundation
import HRTF
import Loading
import Measurement
import SOFA
import Signal
import Soundstage
import Stages
import Sweeps
import Takes
import Trackers

/// `proscenium measure me`: measures a room and a person's ears with the loudspeakers of a layout.
struct MeasureMeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "me",
        abstract: "Measures your room and ears, by sweeps from the loudspeakers and microphones in the ears.",
        discussion: """
            Sit where you listen, with a microphone in each ear canal. The level is found first: short sweeps from -40 dBFS \
            upwards, never above --max-level. Then you look to each planned yaw in turn and keep still while the sweeps play. A \
            take with a fault is named and repeated, after three low tones; after two rising tones the next look comes. With \
            --head a tracker shows when the head has the planned yaw, and takes begin by themselves. With --panel a page shows the plan, the \
            head and each verdict, and begins, repeats and skips takes. Takes are kept in the folder: after an interruption the \
            same command line continues with the missing looks. At the end the folder holds room.sofa for --room, and ears.sofa \
            for --hrtf. With --person both have a name; without a folder the takes then stay in \
            $XDG_DATA_HOME/proscenium/people.

            Examples:
              proscenium measure me my-room --layout 5.1 --connect-out physical --connect-in physical
              proscenium measure me --person anna --layout 5.1 --connect-out physical --connect-in physical
              proscenium measure me my-room --layout stereo --looks 0,30,-30,60,-60 --head osc:9000
            """)

    @OptionGroup var place: MeasurementPlace
    @Option(
        help: ArgumentHelp("Loudspeakers: a layout's name or a JSON file.", valueName: "layout"), completion: .layouts)
    var layout = "stereo"
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Yaws of the head, degrees, positive to the left, at least 10 apart; default 0,30,-30.",
            valueName: "degrees,…"))
    var looks = "0,30,-30"
    @OptionGroup var sweep: SweepOptions
    @Option(
        parsing: .unconditional, help: ArgumentHelp("Highest peak of the sweeps, -80 to 0.", valueName: "dBFS"))
    var maxLevel = -12.0
    @OptionGroup var exchange: ExchangeOptions
    @Option(
        help: ArgumentHelp(
            "Title of the room in the files (default: the person's name, or measured room).", valueName: "text"))
    var title: String?
    @OptionGroup var page: MeasurementPanelOptions
    @OptionGroup(title: "Head tracking") var tracking: TrackingOptions
    @OptionGroup var former: OverwriteOption
    @Flag(help: "Print everything as JSON.") var json = false

    func validate() throws {
        guard let yaws = yaws else {
            throw ValidationError(
                "--looks must be 1 to 36 yaws in degrees from -180 to 180, at least 10 apart, not '\(looks)'")
        }
        guard yaws.contains(where: { abs($0) < 45 }) else {
            throw ValidationError("--looks needs one near the front, as 0")
        }
        guard PlayedSweeps.levels.contains(maxLevel) else {
            throw ValidationError("--max-level must lie between -80 and 0, not \(maxLevel)")
        }
    }

    /// The planned looks; nil if the option is invalid.
    private var yaws: [Double]? {
        let words = looks.split(separator: ",", omittingEmptySubsequences: false).map {
            Double($0.trimmingCharacters(in: .whitespaces))
        }
        let yaws = words.compactMap(\.self)
        guard yaws.count == words.count, (1...36).contains(yaws.count), yaws.allSatisfy({ abs($0) <= 180 }) else {
            return nil
        }
        let isApart = yaws.indices.allSatisfy { place in
            yaws[..<place].allSatisfy { abs(remainder($0 - yaws[place], 360)) >= 10 }
        }
        return isApart ? yaws : nil
    }

    func run() async throws {
        let folder = try MeasurementFolder(place.begin(.room))
        let replacement = try former.settle([folder.room, folder.ears], keeping: exchange.calibration)
        let layout = try StageSettings().layout(named: layout)
        let interrupt = Interrupt()
        let requests = PersonRequests()
        let goesOn: @Sendable () -> Bool = { !interrupt.isRequested && !requests.isStop }
        let feed = tracking.head == "none" ? nil : try HeadPoseFeed(tracking.settings) { say("proscenium: \($0)") }
        let prompt = PersonPrompt(
            feed: feed, wait: exchange.wait, goesOn: goesOn, requests: requests, hasPanel: page.address != nil)
        let panel = try makePanel(layout, folder, prompt)
        let report = try await MeasurementPanel.showing(panel) { () async throws -> ResponseReport in
            let takes = try await measured(layout, folder, prompt, panel)
            panel?.enter(.computing)
            let report = try made(takes, folder, replacement, goesOn)
            try place.enter(.room)
            panel?.enter(.done)
            return report
        }
        if json { return try JSONText.print(report) }
        for line in report.lines { print(line) }
        print("play it: proscenium run --layout \(self.layout) --room \(place.person ?? folder.room)")
    }

    /// Makes the room and the ears from the takes.
    private func made(
        _ takes: [String], _ folder: MeasurementFolder, _ replacement: Replacement, _ goesOn: () -> Bool
    ) throws -> ResponseReport {
        // The person may have left looks out.
        guard folder.takes.contains(where: { abs($0.yaw) < 45 }) else {
            throw Failure(
                .input,
                "in no good take the head looks to the front; the takes in \(folder.path) are kept; the same command line "
                    + "continues with the rest")
        }
        let measurement = ResponseMeasurement(
            takes: takes, played: .plan(path: folder.sweeps), calibrations: exchange.calibration,
            acceptsFaults: true,
            attributes: SOFAConversion.Author.now.attributes(title: title ?? place.person ?? "measured room"))
        return try ResponseError.spoken { () throws(ResponseError) in
            try measurement.run(
                room: folder.room, head: folder.ears, replaces: { replacement.covers($0) }, progress: { _ in goesOn() })
        }
    }

    /// Makes the panel of a measurement; nil without one.
    private func makePanel(
        _ layout: Layout, _ folder: MeasurementFolder, _ prompt: PersonPrompt
    ) throws -> MeasurementPanel? {
        guard page.address != nil else { return nil }
        let sweeps = try ResponseError.spoken { () throws(ResponseError) in try self.sweeps(layout, at: .studio) }
        let progress = PersonProgress(
            looks: yaws ?? [0], held: { folder.holds($0) },
            takeSeconds: SampleRate.studio.seconds(frames: try sweeps.plan().frames), hasTracker: prompt.feed != nil)
        let plan = MeasurementPanel.Plan(
            client: Self.client, subject: .person(layout: layout.name, loudspeakers: sweeps.loudspeakers),
            folder: folder.path)
        return MeasurementPanel(plan, progress, requests: prompt.requests, token: page.token, look: { prompt.look() })
    }

    /// JACK client name.
    private static let client = "proscenium-measure"

    /// Measures, and returns the paths of the takes.
    private func measured(
        _ layout: Layout, _ folder: MeasurementFolder, _ prompt: PersonPrompt, _ panel: MeasurementPanel?
    ) async throws -> [String] {
        try await prompt.feed?.start()
        do {
            let takes = try await played(layout, folder, prompt, panel)
            await prompt.feed?.stop()
            return takes
        } catch {
            await prompt.feed?.stop()
            try ExchangeOptions.failure(error, in: folder)
        }
    }

    /// Returns the sweeps at a rate.
    private func sweeps(_ layout: Layout, at rate: SampleRate) throws(ResponseError) -> PlayedSweeps {
        try PlayedSweeps(
            layout, sampleRate: rate, seconds: sweep.seconds, decay: sweep.decay, level: maxLevel, isSynchronous: true)
    }

    private func played(
        _ layout: Layout, _ folder: MeasurementFolder, _ prompt: PersonPrompt, _ panel: MeasurementPanel?
    ) async throws -> [String] {
        let longest = SampleRate.studio.seconds(frames: try sweeps(layout, at: .studio).plan().frames)
        let client = try JACKExchange(
            name: Self.client, loudspeakers: layout.loudspeakers.map(\.symbol), longest: longest + 1)
        let sweeps = try sweeps(layout, at: client.sampleRate)
        defer { _ = client.close() }
        try client.connect(loudspeakers: exchange.connectOut, ears: exchange.connectIn)
        let measurement = PersonMeasurement(
            exchange: client, sweeps: sweeps, folder: folder, looks: yaws ?? [0], mostLevel: maxLevel,
            tries: exchange.tries, calibrations: exchange.calibration, requests: prompt.requests)
        try await page.open(panel)
        try await prompt.begin("put the microphones into your ears, look to the front and keep still")
        return try await measurement.run(
            ready: { try await prompt.ready($0) }, look: { prompt.look() }, goesOn: prompt.goesOn,
            tell: { event in
                panel?.tell(event)
                if let text = event.text { say(text) }
            })
    }
}
