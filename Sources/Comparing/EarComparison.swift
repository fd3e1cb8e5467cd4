import AudioIO
import Desk
import Foundation
import Listening
import Loading
import Preview
import Session
import Soundstage
import Stages

/// Sets of head-related responses compared by ear, blind, while they all play: which ears fit the listener.
///
/// The stage of every set plays; the two of a round are heard by turns, the change being a fade. Nothing that the
/// listener sees tells which set is heard: names come with the result.
package actor EarComparison {
    /// What a listener wants.
    package enum Word: Sendable, Equatable {
        /// Hear 1 or 2.
        case listen(ListeningAnswer)
        /// Hear the sound again from its beginning.
        case again
        /// The one that is heard is the better one.
        case choose
        /// An answer.
        case answer(ListeningAnswer)
        /// End, keeping what was answered.
        case end
    }

    /// What is to be shown.
    package struct Status: Sendable, Equatable {
        /// The round, from 1, and how many there are at most.
        package let round: Int, rounds: Int
        /// What is asked.
        package let question: String
        /// Which one is heard, 1 or 2.
        package let heard: Int
    }

    /// What was listened to in the round under way.
    private struct Round {
        /// Which one is heard, and those that were.
        var heard = ListeningAnswer.first
        var wereHeard: Set<ListeningAnswer> = []
        /// When it began, seconds of the clock.
        var began = 0.0
    }

    private let settings: ComparisonSettings
    private let stage: StageSettings
    private let preview: PreviewSession
    private let programme: ComparedProgramme
    private let sets: [ComparedSet]
    private let clock: any SessionClock
    private var test: ListeningTest
    private var live: LiveSession?
    private var listened = Round()
    private var isOver = false
    /// Whether the sheet's file is this comparison's.
    private var hasSaved = false
    private var failure: (any Error)?

    /// Finds the sets, makes them equally loud and prepares what they are compared with: seconds for each set, on the
    /// calling thread.
    ///
    /// - Parameters:
    ///   - live: tracking, name and connections; of its stage the reader of SOFA files.
    ///   - progress: told the share done; answers false to stop.
    package init(
        _ settings: ComparisonSettings, live: LiveSettings, in environment: SessionEnvironment,
        progress: (Double) -> Bool
    ) throws(SessionError) {
        self.settings = settings
        clock = environment.clock
        programme = try ComparedProgramme(settings)
        for remark in programme.remarks { environment.tell(.note(remark)) }
        var found: [ComparedSet] = []
        for name in settings.plan.sets { found.append(try ComparedSet(name)) }
        stage = try settings.stage
        sets = try ComparedSet.matched(found, with: programme, on: stage, progress)
        test = ListeningTest(settings.sheet(of: sets))
        var wanted = live
        wanted.stage = ComparedSet.settings(sets[0], programme, stage)
        wanted.stage.reader = live.stage.reader
        var preview = PreviewSettings(live: wanted, files: [programme.path], loops: true)
        preview.startsPaused = true
        self.preview = try PreviewSession(preview, in: environment)
    }

    /// What was answered so far.
    package var sheet: ListeningSheet { test.sheet }

    /// Remarks at the end, a line each; empty where all went well.
    package var closing: [String] { get async { await preview.closing } }

    /// What is to be shown; nil before and after the rounds.
    package var status: Status? {
        guard !isOver, live != nil, let round = test.round else { return nil }
        return Status(
            round: round.number, rounds: test.sheet.plan.rounds, question: round.question.words,
            heard: listened.heard == .first ? 1 : 2)
    }

    /// Plays until the test is over or ended.
    ///
    /// - Parameter begins: told when the first round begins.
    package func play(begins: @escaping @Sendable () async -> Void) async throws {
        defer { programme.discard() }
        guard test.round != nil else { return }
        try await preview.play { live in
            try await self.begin(live)
            await begins()
        }
        if let failure { throw failure }
    }

    /// All stages are built before the first sound, also where the server's rate changed and they are built anew.
    private func begin(_ live: LiveSession) async throws {
        let others = sets.dropFirst().map { ComparedSet.settings($0, programme, stage) }
        try await live.stand(beside: Array(others))
        self.live = live
        try await beginRound()
        _ = await preview.perform(.preview(.pause(false)), in: live)
    }

    /// The next round's first sound, from its beginning.
    private func beginRound() async throws {
        listened.wereHeard = []
        listened.began = clock.now
        try await listen(to: .first)
        await again()
    }

    private func again() async {
        guard let live else { return }
        _ = await preview.perform(.preview(.go(to: 0)), in: live)
    }

    private func listen(to sound: ListeningAnswer) async throws {
        guard let live, let round = test.round else { return }
        try await live.hear(ears: sound == .first ? round.first : round.second)
        listened.heard = sound
        listened.wereHeard.insert(sound)
    }

    /// Does what the listener wants; what is said to them; nil: nothing.
    ///
    /// - Parameter time: now, ISO 8601, for the sheet.
    package func perform(_ word: Word, at time: String? = nil) async -> String? {
        guard !isOver, live != nil, test.round != nil else { return word == .end ? nil : "the test is over" }
        do {
            switch word {
            case .listen(let sound): try await listen(to: sound)
            case .again: await again()
            case .choose:
                guard listened.wereHeard.count == 2 else { return "listen to both first: keys 1 and 2" }
                try await take(listened.heard, time)
            case .answer(let answer): try await take(answer, time)
            case .end: await end()
            }
        } catch {
            failure = error
            await end()
        }
        return nil
    }

    private func take(_ answer: ListeningAnswer, _ time: String?) async throws {
        test.take(answer, seconds: ((clock.now - listened.began) * 10).rounded() / 10, time: time)
        if let path = settings.sheet {
            do throws(ListeningError) {
                try test.sheet.save(to: path, replaces: hasSaved || settings.replacesSheet)
            } catch {
                throw SessionError(.environment, error.description)
            }
            hasSaved = true
        }
        if test.round == nil { await end() } else { try await beginRound() }
    }

    private func end() async {
        isOver = true
        await preview.quit()
    }

    /// Ends it, keeping what was answered.
    package func quit() async { await end() }
}

extension ComparisonSettings {
    /// The sheet that it begins with.
    package func sheet(of sets: [ComparedSet]) -> ListeningSheet {
        ListeningSheet(
            plan, sources: sets.map { .init(path: $0.path, gain: $0.gain) }, programme: programme, rounds: answered)
    }
}
