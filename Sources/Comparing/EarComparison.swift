import AudioIO
import Desk
import Foundation
import Listening
import Loading
import Preview
import Session
import Soundstage
import Stages

/// A blind comparison of HRTF sets by ear. It shows which set fits the listener.
///
/// The stages of all sets play at the same time. The listener switches between the two sets of a round, with a
/// crossfade. No display identifies the heard set; the result names the sets.
package actor EarComparison {
    /// A listener's command.
    package enum Word: Sendable, Equatable {
        /// Listen to sound 1 or 2. `unsure` names no sound and has no effect.
        case listen(ListeningAnswer)
        /// Play the sound again from its start.
        case again
        /// Choose the sound that is heard now as the better one.
        case choose
        /// Give an answer.
        case answer(ListeningAnswer)
        /// End, and keep the answers.
        case end
    }

    /// Status to display.
    package struct Status: Sendable, Equatable {
        /// Number of the round, from 1, and largest number of rounds.
        package let round: Int, rounds: Int
        /// Question of the round.
        package let question: String
        /// The sound that is heard now, 1 or 2.
        package let heard: Int
    }

    /// State of the present round.
    private struct Round {
        /// The sound that is heard now, and all sounds heard in this round.
        var heard = ListeningAnswer.first
        var wereHeard: Set<ListeningAnswer> = []
        /// Start of the round, seconds of the clock.
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
    /// Whether this comparison has written the sheet's file.
    private var hasSaved = false
    private var failure: (any Error)?

    /// Finds the sets, matches their loudness and prepares the sound. Takes seconds for each set, and blocks the
    /// calling thread.
    ///
    /// - Parameters:
    ///   - live: tracking, name and connections, the reader of SOFA files, and whether prepared rooms are kept.
    ///   - progress: receives the fraction done; returns false to stop.
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
        wanted.stage.keepsRooms = live.stage.keepsRooms
        var preview = PreviewSettings(live: wanted, files: [programme.path], loops: true)
        preview.startsPaused = true
        self.preview = try PreviewSession(preview, in: environment)
    }

    /// Sheet with the answers so far.
    package var sheet: ListeningSheet { test.sheet }

    /// Closing remarks, a line each; empty without faults.
    package var closing: [String] { get async { await preview.closing } }

    /// Status to display; nil before and after the rounds.
    package var status: Status? {
        guard !isOver, live != nil, let round = test.round else { return nil }
        return Status(
            round: round.number, rounds: test.sheet.plan.rounds, question: round.question.words,
            heard: listened.heard == .first ? 1 : 2)
    }

    /// Plays until the test is complete or ended.
    ///
    /// - Parameter begins: called when the first round starts.
    package func play(begins: @escaping @Sendable () async -> Void) async throws {
        defer { programme.discard() }
        guard test.round != nil else { return }
        try await preview.play { live in
            try await self.begin(live)
            await begins()
        }
        if let failure { throw failure }
    }

    /// Builds the stages of the other sets before the first sound, and starts a round. This is repeated after a change
    /// of the server's sample rate.
    private func begin(_ live: LiveSession) async throws {
        let others = sets.dropFirst().map { ComparedSet.settings($0, programme, stage) }
        try await live.stand(beside: Array(others))
        self.live = live
        try await beginRound()
        _ = await preview.perform(.preview(.pause(false)), in: live)
    }

    /// Starts the next round: sound 1, from the start of the programme.
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
        guard let live, let round = test.round, sound != .unsure else { return }
        try await live.hear(ears: sound == .first ? round.first : round.second)
        listened.heard = sound
        listened.wereHeard.insert(sound)
    }

    /// Carries out a listener's command; returns a message for the listener, or nil if there is none.
    ///
    /// - Parameter time: present time, ISO 8601, for the sheet.
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

    /// Ends the comparison, and keeps the answers.
    package func quit() async { await end() }
}

extension ComparisonSettings {
    /// Returns the sheet at the start of the comparison.
    package func sheet(of sets: [ComparedSet]) -> ListeningSheet {
        ListeningSheet(
            plan, sources: sets.map { .init(path: $0.path, gain: $0.gain) }, programme: programme, rounds: answered)
    }
}
