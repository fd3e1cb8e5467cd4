import Foundation
import Glibc
import Testing

@testable import proscenium

/// Output to a pipe that no program reads.
@Suite(.timeLimit(.minutes(10))) struct LineOutputTests {
    @Test func `A reader that has stopped holds nothing up, and is told what it missed when it reads on`() throws {
        let pipe = Pipe()
        let output = LineOutput(pipe.fileHandleForWriting.fileDescriptor)
        output.waitBriefly()
        let line = String(repeating: "x", count: 999) + "\n"
        // More than any pipe holds by default.
        for _ in 0..<2000 { output.write(line) }
        let held = waiting(in: pipe).count
        #expect(held > 0 && held < 1_000_000)
        output.write("after\n")
        let lines = String(decoding: waiting(in: pipe), as: UTF8.self).split(separator: "\n")
        let whole = held / 1000
        #expect(
            lines == [
                "proscenium: \(2000 - whole) messages before this one were not read, and are lost", "after",
            ])
    }

    @Test func `A slow reader misses nothing where nothing plays`() async throws {
        let pipe = Pipe()
        let output = LineOutput(pipe.fileHandleForWriting.fileDescriptor)
        let text = String(repeating: "y", count: 300_000)
        // The write waits for the reader, so it runs on another thread.
        Thread.detachNewThread { output.write(text) }
        var heard = Data()
        while heard.count < text.utf8.count {
            try await Task.sleep(for: .milliseconds(2))
            heard += waiting(in: pipe)
        }
        #expect(heard == Data(text.utf8))
    }

    /// Returns the bytes in a pipe, without waiting for more.
    private func waiting(in pipe: Pipe) -> Data {
        var held = Data()
        var request = pollfd(fd: pipe.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
        while poll(&request, 1, 0) > 0 { held += pipe.fileHandleForReading.availableData }
        return held
    }

    /// In an earlier version the signal of a pipe without a reader (SIGPIPE) ended the playback.
    @Test func `A reader that is gone ends nothing that plays`() async {
        await #expect(processExitsWith: .success) {
            var ends: [Int32] = [-1, -1]
            pipe(&ends)
            close(ends[0])
            let output = LineOutput(ends[1])
            output.waitBriefly()
            output.write("nobody reads this\n")
        }
    }
}
