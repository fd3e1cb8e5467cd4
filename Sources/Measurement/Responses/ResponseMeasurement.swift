import Foundation
import Geometry
import SOFA
import Signal
import Sweeps

/// Makes the file of a room and, if wanted, that of a head (an HRTF set) from recorded sweeps: `measure responses`.
package struct ResponseMeasurement: Sendable {
    /// Paths of the recordings.
    package var takes: [String]
    /// The sound that was played.
    package var played: MeasurementSignal
    /// Paths of calibrations: none, one for both microphones, or the left and the right.
    package var calibrations: [String]
    /// Whether takes with faults are used; the faults are then remarks in the report.
    package var acceptsFaults: Bool
    /// Global attributes of the files: Title, DateCreated, ...
    package var attributes: [String: String]

    /// Sets all fields.
    package init(
        takes: [String], played: MeasurementSignal, calibrations: [String] = [], acceptsFaults: Bool = false,
        attributes: [String: String] = [:]
    ) {
        self.takes = takes
        self.played = played
        self.calibrations = calibrations
        self.acceptsFaults = acceptsFaults
        self.attributes = attributes
    }

    /// Measures, and writes the room to `room` and the direct sound to `head`, if given. Takes about half a second for
    /// ten seconds of sound. May be called on any thread but the audio thread.
    ///
    /// - Parameters:
    ///   - replaces: returns whether an existing file of a path may be replaced.
    ///   - progress: receives the share done, 0…1; returns false to end the work.
    package func run(
        room: String, head: String?, replaces: (String) -> Bool, progress: (Double) -> Bool
    ) throws(ResponseError) -> ResponseReport {
        let reading = try TakeReader(played, microphones: try TakeReading.microphones(calibrations))
        try reading.checkNames(takes)
        var found: [NamedTake] = []
        for (index, path) in takes.enumerated() {
            guard progress(Double(index) / Double(takes.count + 1)) else { throw .cancelled }
            found.append(try reading.take(path))
        }
        NamedTake.judgePlaces(&found, of: reading.loudspeakers)
        if !reading.isFree { NamedTake.judgeStarts(&found) }
        NamedTake.judgeLevels(&found, of: reading.loudspeakers)
        let faulty = found.filter { !$0.faults.isEmpty }
        guard acceptsFaults || faulty.isEmpty else {
            throw .refused(
                faulty.map { (take: $0.path, faults: $0.faults) },
                remedy: "record these takes again, or give --accept-faults")
        }
        if reading.isApart { NamedTake.placeStarts(&found, of: reading.loudspeakers) }
        NamedTake.align(&found, isFree: reading.isFree)
        let set = try ResponseSet(found, of: reading.loudspeakers)
        do throws(SOFAError) {
            try set.room(attributes).write(to: room, isReplacing: replaces(room))
            if let head { try set.head(attributes).write(to: head, isReplacing: replaces(head)) }
        } catch { throw .output(error) }
        return ResponseReport(
            files: [room] + (head.map { [$0] } ?? []), takes: found.map(ResponseReport.Take.init),
            sampleRate: set.sampleRate, samples: set.count, commonDelay: Double(set.start) / set.sampleRate * 1000)
    }
}
