import CPeers
import Foundation
import HRTF
import SOFA
import Signal

/// Cells that load a SOFA file to playable filters, or inspect its header.
enum LoadGroup: CellGroup {
    static let name = "load"
    static let summary =
        "SOFA files: to playable filters at 48 kHz, anew and from the cache, beside mysofa_open; inspected, beside mysofa_load"

    /// Path of CIPIC's subject 003; nil without the evaluation data.
    private static var cipic: String? {
        guard let folder = ProcessInfo.processInfo.environment["PROSCENIUM_DATA"] else { return nil }
        let path = folder + "/sofa/libmysofa-tests__CIPIC_subject_003_hrir_final_itdInDelayField.sofa"
        return FileManager.default.fileExists(atPath: path) ? path : nil
    }

    static func plan() -> [CellPlan] {
        [load("kemar", "Debian's KEMAR", HRTFLibrary.systemDefault)]
            + (cipic.map { [load("cipic", "CIPIC subject 003 (1250 directions)", $0)] } ?? [])
            + [
                InspectionCells.large(10_000, hasPeer: true), InspectionCells.large(40_000, hasPeer: false),
                InspectionCells.batch(),
            ]
    }

    private static func load(_ word: String, _ title: String, _ path: String) -> CellPlan {
        CellPlan(id: "load/\(word)", group: name, isQuick: false) { bench in
            var facts = Facts()
            facts.sampleRate = 48_000
            facts.filters = path
            let folder = try TemporaryFolder()
            let cache = PreparedSets(folder: folder.path)
            return try CellWork(
                id: "load/\(word)", group: name,
                title: "\(title): ours equalises, aligns and fills a dense grid; libmysofa resamples and indexes",
                unit: "ms", facts: facts, frames: 16, units: 1e6,
                entries: [
                    Entry(.ours) {
                        // The first load fills the cache; all timed loads read it.
                        _ = try FilterField.load(HRTFSelection(path), sampleRate: .studio, cache: cache)
                        return LoadContender("Proscenium, prepared before", .ours) {
                            let (_, report) = try FilterField.load(
                                HRTFSelection(path), sampleRate: .studio, cache: cache)
                            guard report.wasPrepared else { throw Refusal("\(path) was not kept") }
                        }
                    },
                    Entry(.ours) {
                        LoadContender("Proscenium, ready to play", .ours) {
                            _ = try FilterField.load(HRTFSelection(path), sampleRate: .studio)
                        }
                    },
                    Entry(.part) {
                        LoadContender("of which reading", .part) { _ = try FreeFieldHRIR(contentsOf: path) }
                    },
                    Entry {
                        LoadContender("libmysofa, mysofa_open", .peer) {
                            var (taps, error): (Int32, Int32) = (0, 0)
                            let set = peer_mysofa_open(path, 48_000, &taps, &error)
                            guard set != nil else { throw Refusal("libmysofa: error \(error)") }
                            peer_mysofa_close(set)
                        }
                    },
                ], patience: 0.5
            ).measure(bench)
        }
    }
}

/// Loads the filters once per step.
final class LoadContender: Contender {
    let name: String
    let role: Role
    private let load: () throws -> Void

    init(_ name: String, _ role: Role, _ load: @escaping () throws -> Void) {
        self.name = name
        self.role = role
        self.load = load
    }

    func step(_ index: Int, into output: Output) {
        do { try load() } catch { preconditionFailure("\(name): \(error)") }
    }
}
