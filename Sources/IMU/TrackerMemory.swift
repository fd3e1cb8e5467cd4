import Foundation
import Gate
import Geometry
import Glibc

/// Stored calibrations of trackers: their mountings, and their gyroscopes' biases.
///
/// A JSON file, by default `$XDG_STATE_HOME/proscenium/trackers.json`. The key is the name that the user gave (`id=`),
/// else the name that the tracker states of itself, else the lasting name of the connection, else the text of the
/// specification. Each change reads the file anew and replaces it in one step. Of two simultaneous changes by different
/// processes, one can be lost.
package struct TrackerMemory: Sendable {
    /// Entry of one tracker.
    package struct Entry: Hashable, Sendable, Codable {
        /// Rotation from the tracker's own axes to those of the head or device: w, x, y, z; `nil` until calibrated.
        package var mounting: [Double]?
        /// Bias of the gyroscope in the tracker's own axes; `nil` until measured.
        package var bias: Bias?

        /// Creates an entry, by default empty.
        package init(mounting: [Double]? = nil, bias: Bias? = nil) {
            self.mounting = mounting
            self.bias = bias
        }
    }

    /// A bias with the time of its measurement.
    package struct Bias: Hashable, Sendable, Codable {
        /// Bias, rad/s, x y z of the tracker's own axes.
        package var radiansPerSecond: [Double]
        /// Standard deviation at the time of measurement, rad/s, x y z.
        package var deviation: [Double]
        /// Time of the measurement, seconds since 1970.
        package var measured: Double

        /// Creates a bias measured at a time.
        package init(_ bias: GyroscopeBias, measured: Double) {
            radiansPerSecond = [bias.value.x, bias.value.y, bias.value.z]
            deviation = [bias.deviation.x, bias.deviation.y, bias.deviation.z]
            self.measured = measured
        }
    }

    /// Deviation of the bias between two starts of a gyroscope minutes apart, rad/s: 0.02°/s, the repeatability of
    /// consumer parts.
    static let repeatability = 0.02 * Double.pi / 180
    /// Deviation of the bias of an unknown gyroscope, rad/s: 0.5°/s.
    static let ignorance = 0.5 * Double.pi / 180
    /// Time constant of the ageing, seconds: a day, in which temperature and battery charge pass through their range.
    static let forgetting = 86_400.0

    /// Path of the file.
    package let path: String

    /// Uses a file, which need not exist yet. Nil uses the user's default file.
    package init(path: String? = nil) {
        if let path {
            self.path = path
            return
        }
        let environment = ProcessInfo.processInfo.environment
        let home = environment["HOME"] ?? NSHomeDirectory()
        let state = BaseFolder.state.named(in: environment) ?? home + "/.local/state"
        self.path = state + "/proscenium/trackers.json"
    }

    /// Returns the entry of a tracker; nil if it has none. `complaint` is called as by `entries`.
    package func entry(for id: String, complaint: (String) -> Void = { _ in }) -> Entry? {
        entries(complaint)[id]
    }

    /// Returns all entries, by the tracker's name. If the file cannot be used, `complaint` is called with a text. A
    /// file that the system cannot read stays in its place; one that is too long or cannot be decoded is moved aside.
    package func entries(_ complaint: (String) -> Void = { _ in }) -> [String: Entry] {
        do throws(BoundedFile.Refusal) {
            return try stored(complaint)
        } catch {
            complaint("cannot read \(path): \(error); the stored mountings and biases of trackers are not used")
            return [:]
        }
    }

    /// Returns all entries; none without a file. Moves a file aside that is too long or cannot be decoded.
    ///
    /// - Throws: `system` if the system cannot read the file.
    private func stored(_ complaint: (String) -> Void) throws(BoundedFile.Refusal) -> [String: Entry] {
        let bytes: [UInt8]
        do throws(BoundedFile.Refusal) {
            bytes = try BoundedFile.bytes(of: path, most: JSONBounds.session.bytes)
        } catch {
            switch error {
            case .system(code: ENOENT), .system(code: ENOTDIR): return [:]
            case .system: throw error
            case .tooLong: return putAside(complaint)
            }
        }
        guard let entries = try? JSONValue.decode(Document.self, from: bytes, within: .session).valid() else {
            return putAside(complaint)
        }
        return entries
    }

    /// Moves the file aside, calls `complaint`, and returns no entries.
    private func putAside(_ complaint: (String) -> Void) -> [String: Entry] {
        let aside = path + ".unreadable"
        try? FileManager.default.removeItem(atPath: aside)
        let isKept = (try? FileManager.default.moveItem(atPath: path, toPath: aside)) != nil
        complaint(
            "cannot decode \(path); the stored mountings and biases of trackers are not used"
                + (isKept ? " (the file is kept as \(aside))" : ""))
        return [:]
    }

    /// Changes the entry of a tracker.
    ///
    /// - Throws: `memoryNotWritten` if the file cannot be written, or if it exists and cannot be read: otherwise its
    ///   other entries would be lost.
    package func update(
        _ id: String, complaint: (String) -> Void = { _ in }, _ change: (inout Entry) -> Void
    ) throws(TrackerError) {
        var all: [String: Entry]
        do throws(BoundedFile.Refusal) { all = try stored(complaint) } catch {
            throw .memoryNotWritten(path: path, reason: "it cannot be read: \(error)")
        }
        change(&all[id, default: Entry()])
        do {
            let folder = (path as NSString).deletingLastPathComponent
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            try encoder.encode(Document(version: 1, trackers: all)).write(
                to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw .memoryNotWritten(path: path, reason: error.localizedDescription)
        }
    }

    private struct Document: Codable {
        var version: Int
        var trackers: [String: Entry]

        /// Returns the entries. Throws if the version is unknown or an entry is invalid.
        func valid() throws -> [String: Entry] {
            guard version == 1 else { throw CocoaError(.coderInvalidValue) }
            guard trackers.values.allSatisfy(\.isValid) else { throw CocoaError(.coderInvalidValue) }
            return trackers
        }
    }
}

extension TrackerMemory.Entry {
    /// Whether the mounting is nil or a unit quaternion, and the bias is nil or consists of finite numbers for three
    /// axes.
    package var isValid: Bool {
        let isMounted = mounting.map { $0.count == 4 && abs($0.reduce(0) { $0 + $1 * $1 } - 1) < 0.01 } ?? true
        guard let bias else { return isMounted }
        return isMounted && bias.radiansPerSecond.count == 3 && bias.deviation.count == 3
            && (bias.radiansPerSecond + bias.deviation + [bias.measured]).allSatisfy(\.isFinite)
    }

    /// Rotation of the mounting; `nil` until calibrated.
    package var rotation: Rotation<Tracker, Body>? {
        mounting.map { Rotation(Quaternion(w: $0[0], x: $0[1], y: $0[2], z: $0[3])) }
    }
}

extension TrackerMemory.Bias {
    /// Returns the prior from this bias at a later time (seconds since 1970): the same value with a greater deviation.
    ///
    /// A bias drifts within the limits that the gyroscope's manufacturer states: σ² = σ₀² + σᵣ² + (σ∞² − σᵣ²)·(1 −
    /// exp(−age/τ)), with σ₀ as measured, σᵣ = 0.02°/s from one start to the next, σ∞ = 0.5°/s for an unknown
    /// gyroscope, τ = 1 day (a stationary Gauss–Markov process). So new measurements can correct a wrong stored bias.
    package func prior(at time: Double) -> GyroscopeBias {
        let age = max(0, time - measured)
        let (repeated, unknown) = (TrackerMemory.repeatability, TrackerMemory.ignorance)
        let grown =
            repeated * repeated
            + (unknown * unknown - repeated * repeated) * (1 - exp(-age / TrackerMemory.forgetting))
        let value = SIMD3(radiansPerSecond[0], radiansPerSecond[1], radiansPerSecond[2])
        let first = SIMD3(deviation[0], deviation[1], deviation[2])
        let total = first * first + SIMD3(repeating: grown)
        return GyroscopeBias(value: value, deviation: total.squareRoot())
    }
}
