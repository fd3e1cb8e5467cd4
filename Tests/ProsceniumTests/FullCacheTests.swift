import Foundation
import SoundFixtures
import Testing

/// A disk too full for prepared sets: the set still plays, a message reports the fault, and no partial file is left.
@Suite("Prepared sets on a full disk") struct FullCacheTests {
    /// Whether this process may mount a file system of its own.
    private static let mayMount = shell("exec unshare -rm mount -t tmpfs -o size=64k tmpfs /mnt")?.status == 0

    private static func shell(_ script: String, _ words: [String] = []) -> (status: Int32, output: String)? {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", script, "sh"] + words
        let pipe = Pipe()
        (process.standardOutput, process.standardError) = (pipe, pipe)
        guard (try? process.run()) != nil else { return nil }
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, output)
    }

    private func expect(_ run: (status: Int32, output: String)?, says reason: String) throws {
        let run = try #require(run)
        #expect(run.status == 0, "\(run.output)")
        let note = "the prepared data could not be stored in "
        #expect(run.output.contains(note) && run.output.contains(reason), "\(run.output)")
        #expect(run.output.contains("\nleft: []\n"), "\(run.output)")
        #expect(run.output.contains("played   "), "\(run.output)")
    }

    /// Reads a set with the cache folder `$1`, then prints the files in this folder.
    private static let reading = """
        export PROSCENIUM_CACHE="$1"
        "$2" hrtf info generated --rate 44100 || exit
        echo "left: [$(cd "$1" && find . -type f)]"
        """

    @Test("a file system of 64 KiB", .enabled(if: mayMount, "this process may not mount a file system of its own"))
    func tiny() throws {
        let scratch = try Scratch()
        let script = "mount -t tmpfs -o size=64k tmpfs \"$1\" || exit\n" + Self.reading
        let run = Self.shell("exec unshare -rm /bin/sh -c '\(script)' sh \"$@\"", [scratch.path, Run.program.path])
        try expect(run, says: "No space left on device")
    }

    @Test("files that may not grow beyond 64 KiB") func limited() throws {
        let scratch = try Scratch()
        try expect(
            Self.shell("ulimit -f 64\n" + Self.reading, [scratch.path, Run.program.path]), says: "File too large")
    }
}
