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
            named and repeated, after three low tones; after two rising tones the next fit comes. Takes are kept in the folder: \
            after an interruption the same command line continues with the missing fits. At the end the folder holds \
            headphones.sofa for --headphone-eq, which inverts the mean of all fits. With --person the measurement has a name.

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
    @OptionGroup var former: OverwriteOption
    @Flag(help: "Print everything as JSON.") var json = false

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
        do { try await measure(folder) } catch { try ExchangeOptions.failure(error, in: folder) }
        let measurement = HeadphoneMeasurement(
            folder: folder, calibrations: exchange.calibration,
            attributes: SOFAConversion.Author.now.attributes(title: title))
        let report = try ResponseError.spoken { () throws(ResponseError) in
            try measurement.run(replaces: replacement.covers(folder.headphones))
        }
        try place.enter(.headphones)
        if json { return try JSONText.print(report) }
        for line in report.lines { print(line) }
        print("play through it: proscenium run --headphone-eq \(place.person ?? folder.headphones)")
    }

    /// Measures the fits that are missing.
    private func measure(_ folder: MeasurementFolder) async throws {
        func sweeps(at rate: SampleRate) -> PlayedSweeps {
            PlayedSweeps(headphonesAt: rate, seconds: seconds, decay: Self.decay, level: maxLevel)
        }
        let interrupt = Interrupt()
        let longest = SampleRate.studio.seconds(frames: try sweeps(at: .studio).plan().frames)
        let client = try JACKExchange(
            name: "proscenium-measure", loudspeakers: PlayedSweeps.drivers, longest: longest + 1)
        defer { _ = client.close() }
        try client.connect(loudspeakers: exchange.connectOut, ears: exchange.connectIn)
        let measurement = PersonMeasurement(
            exchange: client, sweeps: sweeps(at: client.sampleRate), folder: folder, looks: (1...fits).map(Double.init),
            mostLevel: maxLevel, tries: exchange.tries, calibrations: exchange.calibration)
        let prompt = PersonPrompt(feed: nil, wait: exchange.wait, goesOn: { !interrupt.isRequested })
        try await prompt.begin("put the microphones into your ears, and the headphones over them")
        _ = try await measurement.run(
            ready: { try await prompt.fits($0, of: fits) }, look: { nil }, goesOn: { !interrupt.isRequested },
            tell: { event in if let text = event.text { say(text) } })
    }
}
