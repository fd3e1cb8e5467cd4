import CRealtime
import Foundation
import Testing
import Trackers

/// Sessions under random commands of the whole table, on a server in memory that changes, loses frames and stops. After
/// every command and at the end the state must equal that of a model, and nothing may grow.
///
/// Two and a half minutes of sound; under `PROSCENIUM_SOAK=1` two hours, under another number as many seconds.
/// `PROSCENIUM_SEED` selects other commands. In a process of its own, whose memory no other test uses.
@Suite(.timeLimit(.minutes(180))) struct SoakTests {
    @Test func `Hours of random commands leave the state that they say, and nothing else`() async {
        await #expect(processExitsWith: .success) {
            prc_settle_memory()
            let environment = ProcessInfo.processInfo.environment
            let asked = environment["PROSCENIUM_SOAK"].flatMap { Double($0) }
            let seconds = asked.map { $0 == 1 ? 7200 : $0 } ?? 150
            let seed = environment["PROSCENIUM_SEED"].flatMap { UInt64($0) } ?? 15
            // An error thrown out of this process would be a trap of the runtime's, without a message.
            do {
                let soak = try await Soak(seed: seed)
                try await soak.run(seconds: seconds, isLong: seconds >= 3600)
            } catch {
                let line = "soak, seed \(seed): \(error)\n"
                FileHandle.standardError.write(Data(line.utf8))
                if let report = environment["PROSCENIUM_SOAK_REPORT"] {
                    try? line.write(toFile: report, atomically: true, encoding: .utf8)
                }
                exit(1)
            }
        }
    }
}
