import ArgumentParser
import AudioIO
import Foundation
import HRTF
import Measurement
import SOFA
import Signal
import Sweeps
import Takes

/// `proscenium measure headphones`: measures headphones on the user's ears in several fits.
struct MeasureHeadphonesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "headphones",
        abstract: "Measures your headphones by microphones in your ears, for --headphone-eq.",
        discussion: """
            Wear the headphones over a microphone in each ear canal. The level is found first: short sweeps from -60 dBFS \
            upwards, never above --max-level. For each fit, take the headphones off and put them on again. A take with a fault is \
            named and repeated, after three low tones; after two rising tones the next fit comes. With --panel a page shows the \
            fits and each verdict, and begins, repeats and skips takes. Takes are kept in the folder: after an interruption the \
            same command line continues with the missing fits. At the end the folder holds headphones.sofa for \
            --headphone-eq, which inverts the mean of all fits. With --person the measurement has a name.

            Example:
              proscenium measure headphones my-headphones --connect-out physical --connect-in physical
            """)

    @OptionGroup var place: MeasurementPlace
    @Option(help: ArgumentHelp("Number of fits, 1 to 36.", valueName: "count")) var fits = 6
    @Option(help: ArgumentHelp("Duration of a sweep, 1 to 60: the longer, the less noise.", valueName: "s"))
    var seconds = 3.0
    @Option(
        parsing: .unconditional, help: ArgumentHelp("Highest peak of the sweeps, -80 to 0.", valueName: "dBFS"))
    var maxLevel = -20.0
    @OptionGroup var exchange: ExchangeOptions
    @Option(help: ArgumentHelp("Name of the headphones in the file.", valueName: "text")) var title =
        "measured headphones"
    @OptionGroup var page: MeasurementPanelOptions
    @OptionGroup var former: OverwriteOption
    @Flag(help: "Print everything as JSON.") var json = false

    /// JACK client name.
    private static let client = "proscenium-measure"
    /// Time for a response and the ringing of the lowest frequencies of the sweep, seconds.
    private static let decay = 0.5

    func validate() throws {
        guard (1...36).contains(fits) else { throw ValidationError("--fits must lie between 1 and 36, not \(fits)") }
        guard PlayedSweeps.durations.contains(seconds) else {
            throw ValidationError("--seconds must lie between 1 and 60, not \(seconds)")
        }
        guard PlayedSweeps.levels.contains(maxLevel) else {
            throw ValidationError("--max-level must lie between -80 and 0, not \(maxLevel)")
        }
    }

    func run() async throws {
        let folder = try MeasurementFolder(place.begin(.headphones), of: .fits)
        let replacement = try former.settle([folder.headphones], keeping: exchange.calibration)
        let interrupt = Interrupt()
        let requests = PersonRequests()
        let prompt = PersonPrompt(
            feed: nil, wait: exchange.wait, goesOn: { !interrupt.isRequested && !requests.isStop }, requests: requests,
            hasPanel: page.address != nil)
        let panel = try makePanel(folder, prompt)
        let report = try await MeasurementPanel.showing(panel) { () async throws -> HeadphoneReport in
            do { try await measure(folder, prompt, panel) } catch { try ExchangeOptions.failure(error, in: folder) }
            panel?.enter(.computing)
            let report = try made(folder, replacement)
            try place.enter(.headphones)
            panel?.enter(.done, result: Self.figures(of: report))
            return report
        }
        if json { return try JSONText.print(report) }
        for line in report.lines { print(line) }
        print("play through it: proscenium run --headphone-eq \(place.person ?? folder.headphones)")
    }

    /// Makes the file of the headphones from the takes.
    private func made(_ folder: MeasurementFolder, _ replacement: Replacement) throws -> HeadphoneReport {
        let measurement = HeadphoneMeasurement(
            folder: folder, calibrations: exchange.calibration,
            attributes: SOFAConversion.Author.now.attributes(title: title))
        return try ResponseError.spoken { () throws(ResponseError) in
            try measurement.run(replaces: replacement.covers(folder.headphones))
        }
    }

    /// Returns the figures of the result that the panel shows, dB: how much the fits deviate from their mean, and the
    /// largest boost of their inverse.
    private static func figures(of report: HeadphoneReport) -> [String: Double] {
        var figures = ["boost": report.boost]
        figures["deviation"] = report.spread?.middle
        figures["deviation-high"] = report.spread?.high
        return figures
    }

    /// Makes the panel of a measurement; nil without one.
    private func makePanel(_ folder: MeasurementFolder, _ prompt: PersonPrompt) throws -> MeasurementPanel? {
        guard page.address != nil else { return nil }
        let progress = PersonProgress(
            looks: (1...fits).map(Double.init), held: { folder.holds($0) },
            takeSeconds: SampleRate.studio.seconds(frames: try sweeps(at: .studio).plan().frames))
        let plan = MeasurementPanel.Plan(client: Self.client, subject: .headphones, folder: folder.path)
        return MeasurementPanel(plan, progress, requests: prompt.requests, token: page.token, look: { nil })
    }

    /// Returns the sweeps at a rate.
    private func sweeps(at rate: SampleRate) -> PlayedSweeps {
        PlayedSweeps(headphonesAt: rate, seconds: seconds, decay: Self.decay, level: maxLevel)
    }

    /// Measures the fits that are missing.
    private func measure(
        _ folder: MeasurementFolder, _ prompt: PersonPrompt, _ panel: MeasurementPanel?
    ) async throws {
        let longest = SampleRate.studio.seconds(frames: try sweeps(at: .studio).plan().frames)
        let client = try JACKExchange(
            name: Self.client, loudspeakers: PlayedSweeps.drivers, longest: longest + 1)
        defer { _ = client.close() }
        try client.connect(loudspeakers: exchange.connectOut, ears: exchange.connectIn)
        let measurement = PersonMeasurement(
            exchange: client, sweeps: sweeps(at: client.sampleRate), folder: folder, looks: (1...fits).map(Double.init),
            mostLevel: maxLevel, tries: exchange.tries, calibrations: exchange.calibration, requests: prompt.requests)
        try await page.open(panel)
        try await prompt.begin("put the microphones into your ears, and the headphones over them")
        _ = try await measurement.run(
            ready: { try await prompt.fits($0, of: fits) }, look: { nil }, goesOn: prompt.goesOn,
            tell: { event in
                panel?.tell(event)
                if let text = event.text { say(text) }
            })
    }
}
