import SoundFixtures
import Testing

@testable import PluginHost

/// A shell script as child process. It crashes, hangs or prints nonsense, depending on the names of the bundles.
private let script = """
    for bundle in "$@"; do
        echo "begin $bundle"
        case $bundle in
        *crash*) echo "moan" >&2; kill -ABRT $$ ;;
        *leave*) exit 4 ;;
        *hang*) sleep 1000 ;;
        *cut*) printf '{"bundle":"%s","plug' "$bundle"; exit 0 ;;
        esac
        printf '{"bundle":"%s","plugins":[],"presetOwners":[],"words":[]}\\n' "$bundle"
    done
    """

@Suite struct BundleScannerTests {
    private func scan(_ bundles: [String], seconds: Double = 10) throws -> (records: [BundleRecord], started: Int) {
        var scanner = BundleScanner(program: "/bin/sh", words: ["-c", script, "sh"], secondsPerBundle: seconds)
        var records: [BundleRecord] = []
        try scanner.describe(bundles) { records.append($0) }
        return (records, scanner.started)
    }

    @Test func `A bundle that ends the child is named, and all others are described`() throws {
        let bundles = ["a", "crash-1", "b", "leave-2", "cut-3", "c"]
        let (records, started) = try scan(bundles)
        #expect(records.map(\.head.bundle) == bundles)
        #expect(
            records.map(\.head.fault?.reason) == [
                nil, "describing it ended the program: aborted", nil,
                "describing it ended the program: ended with status 4",
                "describing it ended the program: ended with status 0", nil,
            ])
        #expect(records[1].head.fault?.kind == .crashed && records[1].head.words == ["moan"])
        #expect(started == 4)
    }

    @Test func `A bundle that hangs costs its time and itself`() throws {
        let (records, started) = try scan(["a", "hang", "b"], seconds: 0.3)
        #expect(records.map(\.head.fault?.kind) == [nil, .hung, nil])
        #expect(records[1].head.fault?.reason.hasPrefix("describing it took more than 0.3 s;") == true)
        #expect(started == 2)
    }

    @Test func `After six that hang no further one is tried, and each is said to be untried`() throws {
        let (records, started) = try scan((1...9).map { "hang-\($0)" }, seconds: 0.05)
        #expect(
            records.map(\.head.fault?.kind) == Array(repeating: .hung, count: 6) + Array(repeating: .untried, count: 3))
        #expect(started == 6)
    }

    @Test func `Many bundles go to a few children`() throws {
        let bundles = (0..<250).map { "bundle-\($0)" }
        let (records, started) = try scan(bundles)
        #expect(records.map(\.head.bundle) == bundles && started == 3)
    }
}
