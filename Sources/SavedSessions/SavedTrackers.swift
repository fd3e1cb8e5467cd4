import Foundation
import Gate
import IMU
import Loading

/// What a session keeps of its trackers: how they sit, and their gyroscopes' bias, as the machine remembers both.
package enum SavedTrackers {
    /// Gives the machine's memory what a session knows of trackers and the machine does not, or knows from before that.
    /// `complain` is told where the memory cannot be read or written.
    package static func bring(
        _ saved: SavedSession, to memory: TrackerMemory = TrackerMemory(), complain: (String) -> Void
    ) {
        let known = memory.entries(complain)
        for (id, json) in saved.trackers.sorted(by: { $0.key < $1.key }) {
            guard let brought = entry(json) else { continue }
            var entry = known[id] ?? TrackerMemory.Entry()
            entry.mounting = entry.mounting ?? brought.mounting
            if let bias = brought.bias, bias.measured > entry.bias?.measured ?? -.infinity { entry.bias = bias }
            guard entry != known[id] else { continue }
            do throws(TrackerError) {
                try memory.update(id, complaint: complain) { $0 = entry }
            } catch {
                complain(error.description)
            }
        }
    }

    /// What is known now, as a session keeps it; what it kept of others, and keys that are not known, stay.
    package static func merge(_ known: [String: TrackerMemory.Entry], into saved: inout [String: JSONValue]) {
        for (id, entry) in known {
            guard let bytes = try? JSONEncoder().encode(entry),
                case .object(let now)? = try? JSONValue(bytes, within: .session)
            else { continue }
            var object: [String: JSONValue] = [:]
            if case .object(let former)? = saved[id] { object = former }
            saved[id] = .object(object.merging(now) { $1 })
        }
    }

    /// An entry whose every number can be one.
    private static func entry(_ json: JSONValue) -> TrackerMemory.Entry? {
        guard let entry = try? JSONDecoder().decode(TrackerMemory.Entry.self, from: Data(json.line.utf8)),
            entry.isValid
        else { return nil }
        return entry
    }
}
