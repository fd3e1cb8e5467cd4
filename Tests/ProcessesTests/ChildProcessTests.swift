import AbsentPlaces
import Glibc
import Testing
import Waiting

@testable import Processes

@Suite struct ChildProcessTests {
    private func shell(_ script: String) throws -> ChildProcess { try ChildProcess("/bin/sh", ["-c", script]) }

    @Test func `Lines are heard whole, and then the end`() throws {
        let child = try shell("printf 'one\\ntwo'; sleep 0.05; printf ' halves\\n'; exit 3")
        #expect(child.next(within: 300) == .line("one"))
        #expect(child.next(within: 300) == .line("two halves"))
        #expect(child.next(within: 300) == .ended(.exited(status: 3)))
        #expect(child.next(within: 300) == .ended(.exited(status: 3)))
    }

    @Test func `A signal that ends it is named`() throws {
        let child = try shell("kill -SEGV $$")
        let event = child.next(within: 300)
        #expect(event == .ended(.killed(signal: SIGSEGV)))
        #expect(ChildProcess.End.killed(signal: SIGSEGV).description == "segmentation fault")
    }

    @Test func `What it writes on standard error is kept, the last twenty lines`() throws {
        let child = try shell("for i in $(seq 30); do echo line $i >&2; done; echo done")
        #expect(child.next(within: 300) == .line("done"))
        #expect(child.words == (11...30).map { "line \($0)" })
    }

    @Test func `One that says nothing is silent, and stopped with all it started`() throws {
        let child = try shell("sleep 1000 & echo $!; wait")
        guard case .line(let text) = child.next(within: 300) else { return #expect(Bool(false), "it says a number") }
        let grandchild = try #require(pid_t(text))
        #expect(child.next(within: 0.05) == .silent)
        #expect(kill(grandchild, 0) == 0)
        child.stop()
        // Its end may take a moment, as its parent has gone and no longer waits for it; a zombie counts as ended.
        #expect(comes { kill(grandchild, 0) != 0 || isZombie(grandchild) })
    }

    @Test func `After a line that did not fit no other line is sent`() throws {
        let child = try shell("sleep 1000")
        #expect(!child.say(String(repeating: "x", count: 1 << 23), within: 0.01))
        #expect(!child.say("y", within: 0.01))
        let other = try shell("read line; echo $line")
        #expect(other.say("whole", within: 300))
        #expect(other.next(within: 300) == .line("whole"))
    }

    @Test func `It has no file of ours`() throws {
        var ends = [Int32](repeating: 0, count: 2)
        #expect(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        let child = try shell("echo $(ls /proc/self/fd)")
        // The fourth descriptor is that of `ls` for the folder that it reads.
        #expect(child.next(within: 300) == .line("0 1 2 3"))
    }

    @Test func `A program that is not there is said to be none`() {
        let path = AbsentPlace.path()
        #expect(throws: ProcessError(program: path, reason: "No such file or directory")) {
            try ChildProcess(path, [])
        }
    }

    private func isZombie(_ process: pid_t) -> Bool {
        guard let file = fopen("/proc/\(process)/stat", "r") else { return true }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        guard fgets(&line, 256, file) != nil else { return true }
        return String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self).contains(") Z ")
    }
}

@Suite struct ProcessorQueueTests {
    @Test func `A process that sleeps waits for no processor, one that shares it about as long as it has it`() throws {
        // Two processes that never rest share one processor.
        let pair = try ChildProcess("/usr/bin/taskset", ["-c", "0", "/bin/sh", "-c", "echo $$; while :; do :; done"])
        let other = try ChildProcess("/usr/bin/taskset", ["-c", "0", "/bin/sh", "-c", "while :; do :; done"])
        let sleeper = try ChildProcess("/bin/sh", ["-c", "echo $$; exec sleep 1000"])
        defer { for child in [pair, other, sleeper] { child.stop() } }
        guard case .line(let busy) = pair.next(within: 300), case .line(let idle) = sleeper.next(within: 300) else {
            Issue.record("both say their numbers")
            return
        }
        let before = (ProcessorQueue.seconds(of: busy), ProcessorQueue.seconds(of: idle))
        // This takes a second on a quiet machine.
        #expect(comes { ProcessorQueue.seconds(of: busy) - before.0 > 0.5 })
        #expect(ProcessorQueue.seconds(of: idle) - before.1 < 0.2)
        #expect(ProcessorQueue.seconds(of: "no such task") == 0)
    }
}
