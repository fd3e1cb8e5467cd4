import Foundation
import Geometry
import SOFA
import Signal

/// A prepared set, the result of `FieldPreparation`, as stored in a cache file or sent between processes.
///
/// The numbers of its `CacheEnvelope` are the responses `[shell][point][ear][tap]` (a shell: one distance of sources),
/// their low part in the same order, and the delays `[shell][point][ear]`, all as float32. A set that plays as stored
/// also has its directions as unit vectors `[direction][x, y, z]` in float64 and their responses
/// `[direction][ear][tap]` in float32.
package struct PreparedSet {
    var content: FilterField.Content
    /// The report on the set and its processing.
    package var report: HRTFReport

    /// Description of the set. In the envelope it precedes the numbers.
    private struct Description: Codable {
        var rings: Int
        var taps: Int
        /// Low part: number of samples, position of the first one, and highest frequency as a share of the sample rate
        /// (`FilterField.LowRows`).
        var low: Int
        var lowStart: Int
        var lowLimit: Double
        var onset: Double
        var lead: Int
        var tail: Int
        var shells: Int
        var minimumTaps: Int
        var stored: Stored?
        var report: HRTFReport

        /// For a set that plays as stored: number of directions, smallest angle between two directions (radians),
        /// number of samples of each response.
        struct Stored: Codable {
            var directions: Int
            var spacing: Double
            var taps: Int
        }
    }

    private static let mark = Array("proscenium set 9".utf8)

    /// Creates a prepared set from a field and its report.
    init(_ content: FilterField.Content, _ report: HRTFReport) {
        precondition(content.isDelayed, "a field without delays is not prepared")
        (self.content, self.report) = (content, report)
    }

    /// Reads a file and prepares its set in this process. Takes about a second on two cores for Debian's KEMAR. Not for
    /// the audio thread.
    ///
    /// - Parameters:
    ///   - sampleRate: the session's rate; nil uses the set's own.
    ///   - reading: called with the share of the file that has been read. If it returns false, the initialiser throws.
    ///   - whenRead: called when the file has been read and the preparation begins.
    package init(
        readingFrom path: String, sampleRate: SampleRate?, options: HRTFOptions, reading: @escaping ReadingProgress,
        whenRead: () -> Void
    ) throws(HRTFError) {
        try options.check()
        let file = try FilterField.read(path, processing: options.processing, progress: reading)
        whenRead()
        guard let rate = sampleRate ?? SampleRate(hertz: file.sampleRate) else {
            throw .implausible(path: path, reason: "its rate of \(file.sampleRate) Hz cannot be played")
        }
        var preparation = try FieldPreparation(file, sampleRate: rate, options: options)
        let (content, report) = try preparation.content()
        self.init(content, report)
    }

    /// Returns the encoded bytes. Takes some milliseconds for ten megabytes.
    package func encoded() throws -> [UInt8] {
        let taps = content.tapCount
        let description = Description(
            rings: content.grid.ringCount, taps: content.wideTaps, low: content.low.taps, lowStart: content.low.start,
            lowLimit: content.low.limit, onset: content.alignedOnset, lead: content.margins.lead,
            tail: content.margins.tail, shells: content.shellCount, minimumTaps: content.minimumTapCount,
            stored: content.measured.map {
                Description.Stored(directions: $0.directions.count, spacing: $0.spacing, taps: taps)
            }, report: report)
        let stored = content.measured?.responses(taps) ?? []
        let units = (content.measured?.directions ?? []).flatMap { [$0.unit.x, $0.unit.y, $0.unit.z] }
        let floats = content.responses.count + content.low.rows.count + content.delays.count + stored.count
        return try CacheEnvelope.seal(Self.mark, description, count: 4 * floats + 8 * units.count) { bytes in
            content.responses.withUnsafeBytes { bytes += $0 }
            content.low.rows.withUnsafeBytes { bytes += $0 }
            content.delays.withUnsafeBytes { bytes += $0 }
            units.withUnsafeBytes { bytes += $0 }
            stored.withUnsafeBytes { bytes += $0 }
        }
    }

    /// Decodes a prepared set. Nil if the bytes are damaged, have another format, or contain a number out of range.
    package init?(decoding bytes: UnsafeRawBufferPointer) {
        guard let (description, body) = CacheEnvelope.open(bytes, Self.mark, as: Description.self),
            (3...361).contains(description.rings), (1...(1 << 20)).contains(description.taps),
            (0...DelayMargins().lead).contains(description.lead), (0...DelayMargins().tail).contains(description.tail),
            (1...(1 + HRTFOptions.mostDistances)).contains(description.shells),
            (0...(1 << 24)).contains(description.minimumTaps), (0...(1 << 20)).contains(description.low),
            (0...(1 << 20)).contains(description.lowStart),
            description.low == 0 || (0.001...1).contains(description.lowLimit)
        else { return nil }
        let grid = RingGrid(stepDegrees: 180 / Double(description.rings - 1))
        let rows = 2 * grid.count * description.shells
        let responses = rows * description.taps
        let low = rows * description.low
        let units = 4 * (responses + low + rows)
        let (stored, ownTaps) = (description.stored?.directions ?? 0, description.stored?.taps ?? 1)
        guard (0...MeasuredSet.mostDirections).contains(stored), (1...(1 << 24)).contains(ownTaps),
            body.count == units + 24 * stored + 8 * stored * ownTaps
        else { return nil }
        let delays = Self.floats(body, from: 4 * (responses + low), count: rows)
        content = FilterField.Content(
            grid: grid, responses: Self.floats(body, from: 0, count: responses), wideTaps: description.taps,
            low: FilterField.LowRows(
                rows: Self.floats(body, from: 4 * responses, count: low), taps: description.low,
                start: description.lowStart, limit: description.lowLimit),
            delays: delays, alignedOnset: description.onset,
            margins: DelayMargins(lead: description.lead, tail: description.tail), shellCount: description.shells,
            minimumTapCount: description.minimumTaps)
        report = description.report
        guard delays.allSatisfy({ abs($0) < 1_048_576 }), Self.areFinite(content.responses),
            Self.areFinite(content.low.rows),
            description.onset.isFinite
        else { return nil }
        if let own = description.stored {
            let directions = (0..<stored).map { index -> Direction<Head> in
                let place = units + 24 * index
                return Direction(
                    unit: SIMD3(
                        body.loadUnaligned(fromByteOffset: place, as: Double.self),
                        body.loadUnaligned(fromByteOffset: place + 8, as: Double.self),
                        body.loadUnaligned(fromByteOffset: place + 16, as: Double.self)))
            }
            let rows = Self.floats(body, from: units + 24 * stored, count: 2 * stored * ownTaps)
            guard content.tapCount == ownTaps, Self.areFinite(rows), own.spacing.isFinite,
                directions.allSatisfy({ abs(($0.unit * $0.unit).sum() - 1) < 1e-6 })
            else { return nil }
            content.measured = (directions, own.spacing, { _ in rows })
        }
    }

    private static func areFinite(_ values: [Float]) -> Bool {
        values.withUnsafeBufferPointer { CacheEntries.areFinite($0) }
    }

    private static func floats(_ bytes: UnsafeRawBufferPointer, from start: Int, count: Int) -> [Float] {
        [Float](unsafeUninitializedCapacity: count) { floats, initialized in
            // Both regions hold `count` floats, because the caller has checked the sizes.
            UnsafeMutableRawBufferPointer(floats).copyMemory(
                from: UnsafeRawBufferPointer(rebasing: bytes[start..<(start + 4 * count)]))
            initialized = count
        }
    }
}
