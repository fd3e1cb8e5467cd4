import Foundation
import Glibc
import SoundFixtures
import Takes
import Testing

@testable import proscenium

/// Tests of signals, each in a process of its own, as signal actions belong to the process.
@Suite struct InterruptTests {
    @Test(arguments: [SIGINT, SIGTERM, SIGHUP]) func aSignalIsARequest(number: Int32) async {
        await #expect(processExitsWith: .exitCode(7)) { [number] in
            let interrupt = Interrupt()
            let told = DispatchSemaphore(value: 0)
            interrupt.tell { told.signal() }
            kill(getpid(), number)
            told.wait()
            exit(interrupt.isRequested ? 7 : 1)
        }
    }

    @Test func whoDoesNotFollowIsEndedAndWhatIsRecordedCompleted() async throws {
        let scratch = try Scratch()
        await #expect(processExitsWith: .exitCode(130)) { [path = scratch("a.csv") as String] in
            let take = try TextTake(path: path, beginning: "t\n")
            let interrupt = Interrupt(patience: 0.05)
            kill(getpid(), SIGTERM)
            sleep(30)
            try take.append(interrupt.isRequested ? "late\n" : "never\n")
            exit(1)
        }
        #expect(scratch.contents == ["a.csv"])
    }

    @Test func aSecondPressEndsAtOnce() async {
        await #expect(processExitsWith: .exitCode(130)) {
            let interrupt = Interrupt(patience: nil)
            let told = DispatchSemaphore(value: 0)
            interrupt.tell { told.signal() }
            kill(getpid(), SIGINT)
            told.wait()
            kill(getpid(), SIGINT)
            sleep(30)
            exit(interrupt.isRequested ? 1 : 2)
        }
    }

    /// Children inherit ignored signals, and `terminate` would then not end them.
    @Test func childrenHaveTheSignalsDefaultActions() async {
        await #expect(processExitsWith: .success) {
            let interrupt = Interrupt()
            let child = Process()
            child.executableURL = URL(fileURLWithPath: "/bin/grep")
            child.arguments = ["SigIgn", "/proc/self/status"]
            let output = Pipe()
            child.standardOutput = output
            try child.run()
            let words = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            child.waitUntilExit()
            let ignored = try #require(
                words.split(whereSeparator: \.isWhitespace).last.flatMap { UInt64($0, radix: 16) })
            for number in [SIGINT, SIGTERM, SIGHUP] { #expect(ignored >> UInt64(number - 1) & 1 == 0, "\(number)") }
            #expect(!interrupt.isRequested)
        }
    }

    /// `nohup` starts programs with SIGHUP ignored.
    @Test func aHangUpThatIsIgnoredStaysIgnored() async {
        await #expect(processExitsWith: .exitCode(7)) {
            signal(SIGHUP, SIG_IGN)
            let interrupt = Interrupt(patience: 0.01)
            var action = sigaction()
            sigaction(SIGHUP, nil, &action)
            let isIgnored = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
            kill(getpid(), SIGHUP)
            exit(isIgnored && !interrupt.isRequested ? 7 : 1)
        }
    }
}
