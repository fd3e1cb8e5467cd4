import CKernels
import Foundation

/// What the figures were measured on.
struct Machine: Codable {
    let processor: String
    /// The instruction set of our kernels.
    let instructionSet: String
    let cores: Int
    /// One-minute load average when the run began: other work on the machine makes tails long.
    let loadAverage: Double
    let date: String
    let revision: String

    init(revision: String) {
        processor = Machine.line(of: "/proc/cpuinfo", starting: "model name") ?? "unknown"
        instructionSet = String(cString: prk_instruction_set())
        cores = ProcessInfo.processInfo.processorCount
        let load = try? String(contentsOfFile: "/proc/loadavg", encoding: .utf8).split(separator: " ").first
        loadAverage = load.flatMap { Double($0) } ?? -1
        date = Date().formatted(.iso8601)
        self.revision = revision
    }

    private static func line(of path: String, starting prefix: String) -> String? {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
        return text.split(separator: "\n").first { $0.hasPrefix(prefix) }
            .flatMap { $0.split(separator: ":").last }.map { $0.trimmingCharacters(in: .whitespaces) }
    }
}
