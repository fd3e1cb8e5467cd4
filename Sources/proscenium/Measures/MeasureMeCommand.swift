import ArgumentParser
import AudioIO
import Foundation
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
        abstract: "Measures your room and ears: sweeps from the loudspeakers, microphones in the ears.",
        discussion: """
            Sit where you listen, with a microphone in each ear canal. The level is found first: short sweeps from -40 dBFS \
            upwards, never above --max-level. Then you look to each planned yaw in turn and keep still while the sweeps play. A \
            take with a fault is named and repeated, after three low tones; after two rising tones the next look comes. With \
            --head a tracker tells when the head is there, and takes begin by themselves. Takes are kept in the folder: after an \
            interruption the same line continues with the looks that are missing. At the end the folder holds room.sofa for \
            --room, and ears.sofa for --hrtf.

            Examples:
              proscenium measure me my-room --layout 5.1 --connect-out physical --connect-in physical
              proscenium measure me my-room --layout stereo --looks 0,30,-30,60,-60 --head osc:9000
            """)

    @Argument(help: "Folder of the measurement.", completion: .directory) var folder: String
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
    @Option(help: ArgumentHelp("Title of the room in the files.", valueName: "text")) var title = "measured room"
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
        let folder = MeasurementFolder(folder)
        let replacement = try former.settle([folder.room, folder.ears], keeping: exchange.calibration)
        let layout = try StageSettings().layout(named: layout)
        let interrupt = Interrupt()
        let responses = try await measured(layout, folder, interrupt)
        let measurement = ResponseMeasurement(
            takes: responses, played: .plan(path: folder.sweeps), calibrations: exchange.calibration,
            acceptsFaults: true,
            attributes: SOFAConversion.Author.now.attributes(title: title))
        let report = try ResponseError.spoken { () throws(ResponseError) in
            try measurement.run(
                room: folder.room, head: folder.ears, replaces: { replacement.covers($0) },
                progress: { _ in !interrupt.isRequested })
        }
        if json { return try JSONText.print(report) }
        for line in report.lines { print(line) }
        print("play it: proscenium run --layout \(self.layout) --room \(folder.room)")
    }

    /// Measures, and returns the paths of the takes.
    private func measured(
        _ layout: Layout, _ folder: MeasurementFolder, _ interrupt: Interrupt
    ) async throws -> [String] {
        let feed = tracking.head == "none" ? nil : try HeadPoseFeed(tracking.settings) { say("proscenium: \($0)") }
        try await feed?.start()
        do {
            let prompt = PersonPrompt(feed: feed, wait: exchange.wait, goesOn: { !interrupt.isRequested })
            let takes = try await measured(layout, folder, prompt, interrupt)
            await feed?.stop()
            return takes
        } catch {
            await feed?.stop()
            try ExchangeOptions.failure(error, in: folder)
        }
    }

    private func measured(
        _ layout: Layout, _ folder: MeasurementFolder, _ prompt: PersonPrompt, _ interrupt: Interrupt
    ) async throws -> [String] {
        func sweeps(at rate: SampleRate) throws(ResponseError) -> PlayedSweeps {
            try PlayedSweeps(
                layout, sampleRate: rate, seconds: sweep.seconds, decay: sweep.decay, level: maxLevel,
                isSynchronous: true)
        }
        let longest = SampleRate.studio.seconds(frames: try sweeps(at: .studio).plan().frames)
        let client = try JACKExchange(
            name: "proscenium-measure", loudspeakers: layout.loudspeakers.map(\.symbol), longest: longest + 1)
        let sweeps = try sweeps(at: client.sampleRate)
        defer { _ = client.close() }
        try client.connect(loudspeakers: exchange.connectOut, ears: exchange.connectIn)
        let measurement = PersonMeasurement(
            exchange: client, sweeps: sweeps, folder: folder, looks: yaws ?? [0], mostLevel: maxLevel,
            tries: exchange.tries, calibrations: exchange.calibration)
        try await prompt.begin("put the microphones into your ears, look to the front and keep still")
        return try await measurement.run(
            ready: { try await prompt.ready($0) }, look: { prompt.look() }, goesOn: { !interrupt.isRequested },
            tell: { say($0.text) })
    }
}
