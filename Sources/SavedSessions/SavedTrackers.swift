import Foundation
import Gate
import IMU
import Loading

/// The mountings and gyroscope biases of trackers that a session saves, in the form of the machine's own memory.
package enum SavedTrackers {
    /// Copies saved data of trackers into the machine's memory: a mounting if the memory has none, and a bias if it is
    /// newer. Calls `complain` if the memory cannot be read or written.
    package static func bring(
        _ saved: SessionDocument, to memory: TrackerMemory = TrackerMemory(), complain: (String) -> Void
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

    /// Merges present tracker data into the saved ones; keeps other trackers and unknown keys.
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

    /// Returns an entry; nil if it cannot be read or is not valid.
    private static func entry(_ json: JSONValue) -> TrackerMemory.Entry? {
        guard let entry = try? json.decoded(as: TrackerMemory.Entry.self), entry.isValid else { return nil }
        return entry
    }
}
