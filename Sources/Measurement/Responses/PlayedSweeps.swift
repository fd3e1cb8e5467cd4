import Foundation
import Gate
import Geometry
import Signal
import Soundstage
import Sweeps

/// The sweeps of a measurement, and their description in a text file. The plan of the takes is made from it again when
/// the takes are read.
package struct PlayedSweeps: Hashable, Sendable {
    /// Sample rate.
    package let sampleRate: SampleRate
    /// Duration of a sweep, seconds.
    package let seconds: Double
    /// Time that a response may last, seconds.
    package let decay: Double
    /// Peak of the sweeps, dBFS.
    package let level: Double
    /// Loudspeakers in the order of their sweeps.
    package let loudspeakers: [Loudspeaker]
    /// Whether recording and playback start together, as in `measure me`.
    package let isSynchronous: Bool
    /// Whether the loudspeakers are the drivers of headphones: their sweeps follow each other, without pilots.
    package let isOfHeadphones: Bool

    /// Names of the headphones' drivers.
    package static let drivers = ["left", "right"]

    /// Accepted durations of a sweep and of a response, seconds; levels, dBFS; and numbers of loudspeakers.
    package static let durations = 1.0...60.0, decays = 0.1...10.0, levels = -80.0...0.0, counts = 1...64
    /// Assumed longest response of a harmonic, seconds: a loudspeaker's distortion decays sooner than the room.
    private static let harmonic = 0.2

    /// Creates sweeps for the loudspeakers of a layout, except its low-frequency channels.
    ///
    /// - Throws: `input` if none remains, or more than 64.
    package init(
        _ layout: Layout, sampleRate: SampleRate, seconds: Double, decay: Double, level: Double,
        isSynchronous: Bool = false
    ) throws(ResponseError) {
        let found = layout.loudspeakers.filter { !$0.isLowFrequency }
        guard PlayedSweeps.counts.contains(found.count) else {
            throw .input("the layout \(layout.name) has no loudspeakers to be measured; choose one with loudspeakers")
        }
        self.sampleRate = sampleRate
        (self.seconds, self.decay, self.level) = (seconds, decay, level)
        (loudspeakers, self.isSynchronous, isOfHeadphones) = (found, isSynchronous, false)
    }

    /// Creates sweeps for the drivers of headphones, for recordings that start together with playback.
    package init(headphonesAt sampleRate: SampleRate, seconds: Double, decay: Double, level: Double) {
        let places = zip(PlayedSweeps.drivers, [90.0, -90]).map {
            Loudspeaker(symbol: $0, azimuthDegrees: $1, elevationDegrees: 0)
        }
        self.init(
            sampleRate: sampleRate, seconds: seconds, decay: decay, level: level, loudspeakers: places,
            isSynchronous: true, isOfHeadphones: true)
    }

    /// Returns the sweeps at another level, dBFS.
    package func at(level: Double) -> PlayedSweeps {
        PlayedSweeps(
            sampleRate: sampleRate, seconds: seconds, decay: decay, level: level, loudspeakers: loudspeakers,
            isSynchronous: isSynchronous, isOfHeadphones: isOfHeadphones)
    }

    /// Returns sweeps of another duration, for responses of another length, seconds.
    package func short(seconds: Double, decay: Double) -> PlayedSweeps {
        PlayedSweeps(
            sampleRate: sampleRate, seconds: seconds, decay: decay, level: level, loudspeakers: loudspeakers,
            isSynchronous: isSynchronous, isOfHeadphones: isOfHeadphones)
    }

    private init(
        sampleRate: SampleRate, seconds: Double, decay: Double, level: Double, loudspeakers: [Loudspeaker],
        isSynchronous: Bool, isOfHeadphones: Bool
    ) {
        self.sampleRate = sampleRate
        (self.seconds, self.decay, self.level) = (seconds, decay, level)
        (self.loudspeakers, self.isSynchronous, self.isOfHeadphones) = (loudspeakers, isSynchronous, isOfHeadphones)
    }

    /// Makes the plan of a take.
    ///
    /// - Throws: `impossible` for a sweep that cannot be made at the sample rate.
    package func plan() throws(SweepError) -> TakePlan {
        let sweep = try ExponentialSweep(seconds: seconds, sampleRate: sampleRate, amplitude: pow(10, level / 20))
        if isOfHeadphones {
            return TakePlan(sweep: sweep, drivers: loudspeakers.map(\.symbol), response: decay)
        }
        let spacing = SweepSpacing.least(
            sweep, response: decay, harmonic: PlayedSweeps.harmonic, count: loudspeakers.count)
        return TakePlan(sweep: sweep, loudspeakers: loudspeakers.map(\.symbol), response: decay, spacing: spacing)
    }
}

/// The text file, which is JSON.
extension PlayedSweeps {
    /// Version of the text's format.
    private static let version = 1.0

    private struct Place: Encodable {
        let name: String
        let azimuth: Double, elevation: Double
        let distance: Double?
    }

    private struct Text: Encodable {
        let version: Double
        let rate: Double, seconds: Double, decay: Double, level: Double
        let synchronous: Bool
        let headphones: Bool?
        let loudspeakers: [Place]
    }

    /// Content of the text file.
    package var text: Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        let places = loudspeakers.map { place in
            Place(
                name: place.symbol, azimuth: place.azimuthDegrees, elevation: place.elevationDegrees,
                distance: place.distance)
        }
        let text = Text(
            version: PlayedSweeps.version, rate: sampleRate.hertz, seconds: seconds, decay: decay, level: level,
            synchronous: isSynchronous, headphones: isOfHeadphones ? true : nil, loudspeakers: places)
        return ((try? encoder.encode(text)) ?? Data()) + Data("\n".utf8)
    }

    /// Reads a text file that `measure sweeps`, `measure me` or `measure headphones` has written.
    ///
    /// - Throws: `input`: the file cannot be read, is not JSON, or a key is at fault.
    package init(contentsOf path: String) throws(ResponseError) {
        do throws(JSONFile.Refusal) {
            self = try PlayedSweeps(try JSONFile.value(at: path, within: .written))
        } catch {
            switch error {
            case .unreadable(let reason): throw .input("\(path) cannot be read: \(reason)")
            case .notJSON(let reason):
                throw .input(
                    "\(path): \(reason); name the text that 'measure sweeps' has written beside its sound file")
            case .invalid(let key, let reason): throw .input("\(path): \(key) \(reason)")
            }
        }
    }

    private init(_ value: JSONValue) throws(JSONFile.Refusal) {
        let file = try JSONFields(
            value, known: ["version", "rate", "seconds", "decay", "level", "synchronous", "headphones", "loudspeakers"])
        func number(_ key: String, _ range: ClosedRange<Double>, _ unit: String) throws(JSONFile.Refusal) -> Double {
            guard let number = try file.number(key, in: range, unit: unit) else { throw file.fault(key, "is missing") }
            return number
        }
        _ = try number("version", PlayedSweeps.version...PlayedSweeps.version, "(this program's version of the text)")
        guard let rate = SampleRate(hertz: try number("rate", 8000...768_000, "Hz")) else {
            throw file.fault("rate", "is not a valid sample rate")
        }
        var loudspeakers: [Loudspeaker] = []
        for (index, entry) in try file.list("loudspeakers", count: PlayedSweeps.counts).enumerated() {
            let place = try JSONFields(
                entry, at: "loudspeakers[\(index)]", known: ["name", "azimuth", "elevation", "distance"])
            let name = try place.text("name", longest: 64)
            guard let azimuth = try place.number("azimuth", in: -180...180, unit: "degrees"),
                let elevation = try place.number("elevation", in: -90...90, unit: "degrees")
            else { throw place.fault("azimuth", "or elevation is missing") }
            guard !loudspeakers.contains(where: { $0.symbol == name }) else {
                throw place.fault("name", "\(name) occurs twice")
            }
            loudspeakers.append(
                Loudspeaker(
                    symbol: name, azimuthDegrees: azimuth, elevationDegrees: elevation,
                    distance: try place.number("distance", in: 0.2...20, unit: "m")))
        }
        let isOfHeadphones = file["headphones"] == .truth(true)
        guard isOfHeadphones || file["headphones"] == nil || file["headphones"] == .truth(false) else {
            throw file.fault("headphones", "must be true or false")
        }
        guard !isOfHeadphones || loudspeakers.map(\.symbol) == PlayedSweeps.drivers else {
            throw file.fault("loudspeakers", "of headphones must be \(PlayedSweeps.drivers.joined(separator: " and "))")
        }
        self.init(
            sampleRate: rate, seconds: try number("seconds", PlayedSweeps.durations, "s"),
            decay: try number("decay", PlayedSweeps.decays, "s"),
            level: try number("level", PlayedSweeps.levels, "dBFS"),
            loudspeakers: loudspeakers, isSynchronous: file["synchronous"] == .truth(true),
            isOfHeadphones: isOfHeadphones)
    }
}
