import CPeers
import Foundation
import Geometry
import SOFA

/// Inspection of file headers: one of 10 000 and one of 40 000 measurements, and a thousand files. libmysofa has
/// no inspection, so it reads the whole file. A cell's files are written just before its measurement.
enum InspectionCells {
    /// Returns a set of `measurements` directions around the head, each response decaying noise.
    private static func set(_ measurements: Int, samples: Int) -> FreeFieldHRIR {
        let golden = Double.pi * (3 - 5.0.squareRoot())
        let directions = (0..<measurements).map { index -> Direction<Head> in
            let height = 1 - (2 * Double(index) + 1) / Double(measurements)
            return Direction(azimuth: remainder(golden * Double(index), 2 * .pi), elevation: asin(height))
        }
        var state: UInt32 = 1
        let responses = (0..<(2 * measurements * samples)).map { place -> Float in
            state = state &* 1_664_525 &+ 1_013_904_223
            return (Float(state >> 16) / 65_536 - 0.5) * exp(-Float(place % samples) / 16)
        }
        return FreeFieldHRIR(
            path: "made", attributes: [:], sampleRate: 48_000, sampleCount: samples, directions: directions,
            distances: [Double](repeating: 1.5, count: measurements), responses: responses,
            delays: [Double](repeating: 0, count: 2 * measurements))
    }

    /// Waits for asynchronous work to end.
    private static func waiting(_ work: @escaping @Sendable () async -> Bool) throws {
        let done = DispatchSemaphore(value: 0)
        let isRight = Flag()
        Task {
            isRight.value = await work()
            done.signal()
        }
        done.wait()
        guard isRight.value else { throw Refusal("a file was not described") }
    }

    /// Result of the work; one thread sets it before it signals the other.
    private final class Flag: @unchecked Sendable { var value = false }

    private static func describe(_ path: String, measurements: Int) async -> Bool {
        guard let summary = try? await SOFASummary(SOFAInspection(path)) else { return false }
        return summary.places.value?.directions.count == measurements
    }

    private static func whole(_ path: String) throws {
        var error: Int32 = 0
        guard peer_mysofa_load(path, &error) == 1 else { throw Refusal("libmysofa: error \(error)") }
    }

    /// `load/inspect-10000`, and `load/inspect-40000`, which libmysofa 1.3.1 refuses to read (MYSOFA_INVALID_FORMAT).
    static func large(_ count: Int, hasPeer: Bool) -> CellPlan {
        CellPlan(id: "load/inspect-\(count)", group: LoadGroup.name, isQuick: false) { bench in
            let folder = try TemporaryFolder()
            let path = folder.path + "/large.sofa"
            try set(count, samples: 64).write(to: path)
            let ours = Entry(.ours) {
                LoadContender("Proscenium, inspected", .ours) {
                    try waiting { await describe(path, measurements: count) }
                }
            }
            let peer = Entry { LoadContender("libmysofa, mysofa_load", .peer) { try whole(path) } }
            return try CellWork(
                id: "load/inspect-\(count)", group: LoadGroup.name,
                title: "A file of \(count) measurements described (convention, rate, directions, distances, delays); "
                    + (hasPeer ? "libmysofa loads it" : "libmysofa refuses it"),
                unit: "ms", facts: Facts(), frames: 16, units: 1e6, entries: [ours] + (hasPeer ? [peer] : []),
                patience: 0.5
            ).measure(bench)
        }
    }

    /// `load/batch-1000`
    static func batch() -> CellPlan {
        CellPlan(id: "load/batch-1000", group: LoadGroup.name, isQuick: false, measure: measureBatch)
    }

    private static func measureBatch(_ bench: Bench) throws -> Cell {
        let folder = try TemporaryFolder()
        let paths = (0..<1000).map { "\(folder.path)/\($0).sofa" }
        try set(200, samples: 64).write(to: paths[0])
        for path in paths.dropFirst() { try FileManager.default.copyItem(atPath: paths[0], toPath: path) }
        return try CellWork(
            id: "load/batch-1000", group: LoadGroup.name,
            title: "1000 files of 200 measurements described, some at a time; libmysofa loads them one after the other",
            unit: "ms", facts: Facts(), frames: 16, units: 1e6,
            entries: [
                Entry(.ours) {
                    LoadContender("Proscenium, FileBatch", .ours) {
                        try waiting {
                            var right = 0
                            await FileBatch.run(paths, width: ProcessInfo.processInfo.activeProcessorCount) { _, path in
                                await describe(path, measurements: 200)
                            } deliver: { _, isRight in
                                right += isRight ? 1 : 0
                                return true
                            }
                            return right == paths.count
                        }
                    }
                },
                Entry { LoadContender("libmysofa, mysofa_load", .peer) { for path in paths { try whole(path) } } },
            ], patience: 0.5
        ).measure(bench)
    }
}

/// A folder that is deleted with this object.
final class TemporaryFolder {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("bench-" + UUID().uuidString).path

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
