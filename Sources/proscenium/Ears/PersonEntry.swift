import Foundation
import HRTF
import Measurement
import SOFA
import Soundstage

/// A measured person in the answer of `hrtf list`.
struct PersonEntry {
    private let found: FoundPerson
    /// Loudspeakers of the measurement, and yaws of the head in degrees, ascending; empty if nothing is measured.
    private let loudspeakers: [String], looks: [Double]
    /// Reason why a file is missing or cannot be used; nil without one.
    private let problem: String?

    /// Reads the measurement's folder. Takes some milliseconds.
    ///
    /// - Parameter fault: fault of a set of ears that can be opened but not used.
    init(_ found: FoundPerson, fault: SOFAError?) {
        self.found = found
        let folder = MeasurementFolder(found.person.entry(.room))
        loudspeakers = (try? PlayedSweeps(contentsOf: folder.sweeps))?.loudspeakers.map(\.symbol) ?? []
        looks = folder.takes.map(\.yaw)
        let gap = MeasuredPerson.File.allCases.compactMap { found.person.gap($0) }.first
        problem = (found.ears?.problem ?? fault)?.description ?? gap?.description
    }

    /// Time at which the ears were computed from the takes, as their file states it; nil without one.
    private var date: String? {
        found.ears?.summary?.attributes["DateCreated"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Options that take the name now.
    private var options: [String] {
        let person = found.person
        let all: [(option: String, file: MeasuredPerson.File)] = [
            ("--hrtf", .ears), ("--room", .room), ("--headphone-eq", .headphones),
        ]
        return all.filter { person.existing($0.file) != nil }.map { "\($0.option) \(person.name)" }
    }

    /// The entry as text: the name, then one fact a line.
    var lines: [String] {
        let person = found.person
        var lines = [person.name]
        let yaws = looks.map { String(format: "%g°", $0) }.joined(separator: " ")
        let facts = [date, loudspeakers.joined(separator: " "), yaws.isEmpty ? "" : "looks \(yaws)"].compactMap(\.self)
            .filter { !$0.isEmpty }
        if !facts.isEmpty { lines.append("  measured \(facts.joined(separator: ", "))") }
        if !options.isEmpty { lines.append("  choose   \(options.joined(separator: ", "))") }
        if person.has(.room) { lines.append("  folder   \(person.folder(of: .room))") }
        if person.existing(.headphones) != nil {
            lines.append("  phones   \(person.folder(of: .headphones))/\(MeasuredPerson.File.headphones.name)")
        }
        if let problem { lines.append("  problem  \(problem)") }
        return lines
    }

    /// The entry for a program.
    var json: [String: Any] {
        let person = found.person
        func orNull(_ value: String?) -> Any { value ?? NSNull() }
        return [
            "name": person.name, "date": orNull(date), "loudspeakers": loudspeakers, "looks_deg": looks,
            "ears": orNull(person.existing(.ears)), "room": orNull(person.existing(.room)),
            "headphones": orNull(person.existing(.headphones)),
            "folder": orNull(person.has(.room) ? person.folder(of: .room) : nil), "problem": orNull(problem),
        ]
    }
}
