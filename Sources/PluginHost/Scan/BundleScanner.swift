import Foundation
import Processes

/// Scanner that describes bundles in child processes, one bundle at a time. A bundle that crashes or blocks its child
/// does not affect other bundles.
struct BundleScanner {
    /// Program of the child, and its arguments before the paths of the bundles.
    let program: String
    let words: [String]
    /// Longest time for which a child may send no line, s.
    let secondsPerBundle: Double
    /// Number of children started so far.
    private(set) var started = 0
    /// Number of bundles that hung. After six, no further bundle is tried, because the cause is probably not the
    /// bundles.
    private var hung = 0

    init(program: String, words: [String], secondsPerBundle: Double) {
        self.program = program
        self.words = words
        self.secondsPerBundle = secondsPerBundle
    }

    /// Describes bundles in order. Passes each record to `found` when it is complete.
    mutating func describe(_ bundles: [String], found: (BundleRecord) -> Void) throws(PluginError) {
        var rest = bundles[...]
        while !rest.isEmpty {
            guard hung < 6 else {
                for bundle in rest {
                    let reason =
                        "not scanned, because the scan of six earlier bundles did not end; is a folder out of reach?"
                    found(BundleRecord(bundle: bundle, fault: BundleFault(kind: .untried, reason: reason), words: []))
                }
                return
            }
            // The arguments of a hundred paths are far below the system's limit.
            let batch = rest.prefix(100)
            started += 1
            let child = try ChildProcess.forPlugins(program, words + batch)
            rest = rest.dropFirst(hear(child, batch, found))
        }
    }

    /// Reads a child's output until all bundles are recorded, or one crashes or hangs. Returns the number of recorded
    /// bundles, at least one.
    private mutating func hear(
        _ child: ChildProcess, _ batch: ArraySlice<String>, _ found: (BundleRecord) -> Void
    ) -> Int {
        var (done, lines) = (0, [Data]())
        var head: BundleRecord.Head?
        while done < batch.count {
            let bundle = batch[batch.startIndex + done]
            let fault: BundleFault
            switch child.next(within: secondsPerBundle) {
            case .line(let line):
                if head == nil {
                    // The line that announces a bundle is not a head.
                    head = BundleRecord.head(Data(line.utf8))
                } else {
                    lines.append(Data(line.utf8))
                }
                guard let record = head.flatMap({ BundleRecord($0, lines) }), record.head.bundle == bundle else {
                    continue
                }
                (head, lines) = (nil, [])
                found(record)
                done += 1
                continue
            case .silent:
                hung += 1
                let reason = "describing it took more than \(seconds) s; 'plugin list --rescan' tries again"
                fault = BundleFault(kind: .hung, reason: reason)
            case .ended(let end):
                fault = BundleFault(kind: .crashed, reason: "describing it ended the program: \(end)")
            }
            found(BundleRecord(bundle: bundle, fault: fault, words: child.words))
            child.stop()
            return done + 1
        }
        child.stop()
        return done
    }

    private var seconds: String { String(format: "%g", secondsPerBundle) }
}
