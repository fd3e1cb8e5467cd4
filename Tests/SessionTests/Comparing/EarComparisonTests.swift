import AudioIO
import AudioInMemory
import Comparing
import Foundation
import Listening
import Loading
import Signal
import SoundFixtures
import Stages
import Testing
import Waiting

@testable import Session

/// Blind comparison of sets on a server in memory. All sets sound like a rigid sphere, so no comparison distinguishes
/// them.
@Suite(.timeLimit(.minutes(10))) struct EarComparisonTests {
    private static let generated = DataFolders.share.map { $0 + "/HRTF/generated.sofa" } ?? ""

    /// A comparison of the generated set with itself under another name, with its server and clock.
    private struct Rig {
        let server = MemoryServer()
        let clock = ManualClock()
        let comparison: EarComparison

        init(rounds: Int, sheet: String, answered: [ListeningRound] = []) throws {
            server.setFreewheel(true)
            let plan = try ListeningPlan(
                sets: ["generated", EarComparisonTests.generated], confidence: 0.99, rounds: rounds, seed: 5)
            var settings = ComparisonSettings(plan: plan, sheet: sheet, answered: answered)
            // A continued comparison writes to its own sheet.
            settings.replacesSheet = !answered.isEmpty
            comparison = try EarComparison(
                settings, live: LiveSettings(stage: StageSettings()),
                in: LiveRig.environment(server, clock, LiveRig.Said())
            ) { _ in true }
        }

        /// Advances sound and time until the comparison is over; calls `act` repeatedly from the first round on.
        func play(_ act: @escaping @Sendable (EarComparison) async -> Void) async throws {
            let (begun, over) = (Flag(), Flag())
            let playing = Task {
                defer { over.raise() }
                try await comparison.play { begun.raise() }
            }
            for _ in 0..<20_000 where !over.isRaised {
                server.run(seconds: 0.02)
                await clock.advance(by: 0.02)
                for _ in 0..<50 { await Task.yield() }
                guard begun.isRaised else {
                    try? await Task.sleep(for: .milliseconds(1))
                    continue
                }
                await act(comparison)
            }
            await comparison.quit()
            try await playing.value
        }
    }

    @Test func `Both are heard before one is chosen, and each answer stands on the sheet at once`() async throws {
        let scratch = try Scratch()
        let rig = try Rig(rounds: 3, sheet: scratch("sheet.json"))
        try await rig.play { comparison in
            guard let status = await comparison.status else { return }
            #expect(status.heard == 1)
            #expect(await comparison.perform(.listen(.unsure)) == nil)
            #expect(await comparison.status?.heard == 1)
            if status.round == 1 {
                #expect(await comparison.perform(.choose)?.contains("listen to both") == true)
            }
            #expect(await comparison.perform(.listen(.second)) == nil)
            #expect(await comparison.status?.heard == 2)
            #expect(await comparison.perform(.again) == nil)
            #expect(await comparison.perform(.choose) == nil)
            #expect((try? ListeningSheet(contentsOf: scratch("sheet.json")).rounds.count) == status.round)
        }
        let rounds = try ListeningSheet(contentsOf: scratch("sheet.json")).rounds
        #expect(rounds.map(\.answer) == [.second, .second, .second])
        #expect(await rig.comparison.status == nil)
        #expect(rig.server.clients == ["system"])
        #expect(await rig.comparison.sheet.sources.allSatisfy { abs($0.gain) < 0.01 })
    }

    @Test func `An end keeps what was answered, and another comparison goes on from there`() async throws {
        let scratch = try Scratch()
        let first = try Rig(rounds: 4, sheet: scratch("sheet.json"))
        try await first.play { comparison in
            let isSecond = await comparison.status?.round == 2
            _ = await comparison.perform(isSecond ? .end : .answer(.unsure))
        }
        let answered = try ListeningSheet(contentsOf: scratch("sheet.json")).rounds
        #expect(answered.count == 1)
        let second = try Rig(rounds: 4, sheet: scratch("sheet.json"), answered: answered)
        try await second.play { _ = await $0.perform(.answer(.first)) }
        let rounds = try ListeningSheet(contentsOf: scratch("sheet.json")).rounds
        #expect(rounds.map(\.answer) == [.unsure, .first, .first, .first] && rounds.map(\.number) == [1, 2, 3, 4])
    }

    @Test(arguments: [0.5, 1e30, Double.infinity])
    func `An excerpt behind the end of its file is refused`(from: Double) throws {
        let scratch = try Scratch()
        let writer = try SoundFileWriter(path: scratch("in.wav"), channels: 2, sampleRate: .studio)
        try writer.write(PlanarBlock(channels: 2, frames: 12_000), frames: 12_000)
        try writer.finish()
        let plan = try ListeningPlan(sets: ["generated", Self.generated], rounds: 1, seed: 4)
        let programme = ListeningSheet.Programme(input: scratch("in.wav"), from: from, layout: "stereo")
        let error = #expect(throws: SessionError.self) {
            _ = try ComparedProgramme(ComparisonSettings(plan: plan, programme: programme))
        }
        #expect(error?.description.contains("is 0.25 s long") == true)
    }
}
