import CPeers
import HRTF
import SOFA
import Signal

/// From a SOFA file to filters that can be played.
enum LoadGroup: CellGroup {
    static let name = "load"
    static let summary = "Debian's KEMAR from the file to playable filters at 48 kHz, beside mysofa_open"

    static func plan() -> [CellPlan] {
        [
            CellPlan(id: "load/kemar", group: name, isQuick: false) { bench in
                var facts = Facts()
                facts.sampleRate = 48_000
                facts.filters = HRTFLibrary.systemDefault
                return try CellWork(
                    id: "load/kemar", group: name,
                    title: "SOFA load: ours equalises, aligns and fills a dense grid; libmysofa resamples and indexes",
                    unit: "ms", facts: facts, frames: 16, units: 1e6,
                    entries: [
                        Entry(.ours) {
                            LoadContender("Proscenium, ready to play", .ours) {
                                _ = try FilterField.load(HRTFSelection("kemar"), sampleRate: .studio)
                            }
                        },
                        Entry(.part) {
                            LoadContender("of which reading", .part) {
                                _ = try FreeFieldHRIR(contentsOf: HRTFLibrary.systemDefault)
                            }
                        },
                        Entry {
                            LoadContender("libmysofa, mysofa_open", .peer) {
                                var (taps, error): (Int32, Int32) = (0, 0)
                                let set = peer_mysofa_open(HRTFLibrary.systemDefault, 48_000, &taps, &error)
                                guard set != nil else { throw Refusal("libmysofa: error \(error)") }
                                peer_mysofa_close(set)
                            }
                        },
                    ], patience: 0.5
                ).measure(bench)
            }
        ]
    }
}

/// Loads once per step.
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
