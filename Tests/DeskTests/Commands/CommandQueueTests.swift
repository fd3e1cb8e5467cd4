import Desk
import HeadTracking
import Racks
import Stages
import Synchronization
import Testing
import Waiting

@Suite(.timeLimit(.minutes(10))) struct CommandQueueTests {
    /// Holds commands until it opens, and records those that passed.
    private actor Gate {
        private(set) var passed: [SessionCommand] = []
        private var isOpen = false
        private var waiting: [CheckedContinuation<Void, Never>] = []

        func pass(_ command: SessionCommand) async -> SessionReply {
            if !isOpen { await withCheckedContinuation { waiting.append($0) } }
            passed.append(command)
            return .done
        }

        func open() {
            isOpen = true
            for one in waiting { one.resume() }
            waiting = []
        }
    }

    /// Returns the commands carried out of those that wait behind another command, in order, and the counts.
    private func order(of commands: [SessionCommand]) async -> (carriedOut: [SessionCommand], counts: ControlCounts) {
        let gate = Gate()
        let queue = CommandQueue()
        queue.serve { await gate.pass($0) }
        queue.submit(.recentre(.full)) { _ in }
        // The first command is being carried out, so it no longer waits.
        #expect(await comes { !queue.isWaiting })
        for command in commands { queue.submit(command) { _ in } }
        await gate.open()
        #expect(await comes { queue.isIdle })
        return (await Array(gate.passed.dropFirst()), queue.counts)
    }

    private func set(_ name: String, _ value: String, _ input: String? = nil) throws -> SessionCommand {
        .set(try ParameterChange(name, [value], input: input))
    }

    @Test func theLastValueOfAFaderWins() async throws {
        let found = await order(of: [
            try set("level", "-1"), try set("room", "on"), try set("level", "-2"), try set("level", "-3"),
        ])
        #expect(found.carriedOut == [try set("level", "-3"), try set("room", "on")])
        #expect(found.counts.superseded == 2)
        #expect(found.counts.performed == 3)
    }

    @Test(arguments: [
        [SessionCommand.plugin(.remove("a")), .plugin(.bypass("b", true)), .plugin(.list)],
        [.record(.stop), .record(.start(file: nil))],
    ]) func whatTakesAWhileHoldsUpItsLikeAndNothingElse(_ commands: [SessionCommand]) async throws {
        let gate = Gate()
        let queue = CommandQueue()
        queue.serve { command in
            if case .recentre = command { return .done }
            return await gate.pass(command)
        }
        for command in commands { queue.submit(command) { _ in } }
        // Recentring is answered although none of the slow commands is.
        guard case .done = await queue.perform(.recentre(.yaw)) else { Issue.record("it was not done"); return }
        #expect(await gate.passed.isEmpty && !queue.isIdle)
        await gate.open()
        #expect(await comes { queue.isIdle })
        #expect(await gate.passed == commands)
    }

    @Test func nothingPassesACommandThatIsNoFader() async throws {
        let all = [
            try set("level", "-1"), .recentre(.yaw), try set("level", "-2"), .start(frame: 9), try set("level", "-3"),
            try set("room", "toggle"), try set("room", "toggle"), try set("loudness-target", "-23"),
            try set("programme-loudness", "-18"), try set("loudness-target", "-20"),
        ]
        #expect(await order(of: all).carriedOut == all)
    }

    @Test func whatIsSaidToAllAndWhatIsSaidToOneKeepTheirOrder() async throws {
        let all = [
            try set("level", "-6"), try set("level", "0", "talk"), try set("level", "-12"),
            try set("level", "-3", "talk"),
        ]
        #expect(await order(of: all).carriedOut == all)
    }

    @Test func whatSaysTheSameInOtherWordsKeepsItsOrder() async throws {
        let all = [
            try set("level", "-6"), try set("level", "off"), try set("level", "-3"), try set("upmix", "0,0,0"),
            try set("upmix-centre", "1"), try set("upmix", "0.5,0.5,0.5"), try set("upmix-centre", "0"),
        ]
        #expect(await order(of: all).carriedOut == all)
    }

    /// In an earlier version a change that could be carried out was superseded by a later one that was refused.
    @Test func wordsTakeNobodysPlace() async throws {
        let all = [
            try set("mode", "fixed"), try set("mode", "off"), try set("room", "on"), try set("mode", "tracked"),
            try set("room", "off"),
        ]
        let found = await order(of: all)
        #expect(found.carriedOut == all && found.counts.superseded == 0)
    }

    @Test func theSameQuestionIsAnsweredTogether() async {
        let found = await order(of: [.status, .status, .loudness(reset: false), .status])
        #expect(found.carriedOut == [.status, .loudness(reset: false)])
        #expect(found.counts.performed == 3)
        #expect(found.counts.shared == 2)
    }

    /// The comparison alternates with a new queue, so that other load on the machine slows both.
    @Test func aThousandthCommandIsAsQuickAsTheFirst() async throws {
        let (old, clock) = (CommandQueue(), ContinuousClock())
        old.serve { _ in .done }
        for _ in 0..<8000 { _ = await old.perform(.recentre(.yaw)) }
        var (late, early): ([Duration], [Duration]) = ([], [])
        for _ in 0..<10 {
            let young = CommandQueue()
            young.serve { _ in .done }
            // The queue's task has started.
            _ = await young.perform(.recentre(.yaw))
            for _ in 0..<50 {
                late.append(await clock.measure { _ = await old.perform(.recentre(.yaw)) })
                early.append(await clock.measure { _ = await young.perform(.recentre(.yaw)) })
            }
            young.close()
        }
        #expect(late.sorted()[250] < early.sorted()[250] * 5)
        old.close()
    }

    @Test func aQuestionHearsOfAllThatWasAskedForBeforeIt() async throws {
        let level = try set("level", "-6")
        let found = await order(of: [.status, level, .status, .status, .loudness(reset: false)])
        #expect(found.carriedOut == [.status, level, .status, .loudness(reset: false)])
        // The change of level is carried out before the question, so all joined questions see the last value.
        let last = try set("level", "-9")
        let moved = await order(of: [level, .status, last, .status])
        #expect(moved.carriedOut == [last, .status])
    }

    /// A start is complete when its frame comes. Until then questions are answered and other commands are carried out.
    @Test func nobodyWaitsForAStartThatIsStillToCome() async {
        let queue = CommandQueue()
        let (frames, come) = AsyncStream<Void>.makeStream()
        let isAsked = Flag()
        queue.serve { command in
            guard case .start = command else { return .done }
            isAsked.raise()
            for await _ in frames { break }
            return .started(frame: 7, heardAt: 0)
        }
        let start = Task { await queue.perform(.start(frame: 7)) }
        #expect(await eventually { isAsked.isRaised })
        while queue.counts.performed < 20 { _ = await queue.perform(.recentre(.yaw)) }
        come.yield()
        guard case .started(frame: 7, heardAt: 0) = await start.value else {
            Issue.record("the start was not answered")
            return
        }
    }

    @Test func whatFindsNoRoomIsRefusedAndCounted() async {
        let gate = Gate()
        let queue = CommandQueue()
        queue.serve { await gate.pass($0) }
        let refused = Mutex(0)
        for _ in 0..<CommandQueue.capacity + 10 {
            queue.submit(.recentre(.yaw)) { if case .refused = $0 { refused.withLock { $0 += 1 } } }
        }
        await gate.open()
        #expect(await comes { queue.isIdle })
        let counts = queue.counts
        #expect(counts.refused == refused.withLock { $0 })
        #expect((1...10).contains(counts.refused))
        #expect(counts.performed + counts.refused == CommandQueue.capacity + 10)
    }

    @Test func whatNobodyWasThereForCountsAsRefused() async {
        let queue = CommandQueue()
        _ = await queue.perform(.recentre(.yaw))
        #expect(queue.counts.refused == 1 && queue.counts.performed == 0)
        queue.serve { _ in .done }
        _ = await queue.perform(.recentre(.yaw))
        #expect(queue.counts.refused == 1 && queue.counts.performed == 1)
        queue.close()
    }

    @Test func aClosedQueueRefuses() async {
        let queue = CommandQueue()
        queue.close()
        guard case .refused(let reason) = await queue.perform(.recentre(.yaw)) else {
            Issue.record("a closed queue carried out a command")
            return
        }
        #expect(reason.contains("ending"))
    }
}
