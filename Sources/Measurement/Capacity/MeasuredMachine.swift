import Foundation
import Signal

/// What figures were measured on.
package struct MeasuredMachine: Codable, Sendable, Hashable {
    /// The processor by its own name.
    package let processor: String
    /// Processors the program may use.
    package let cores: Int
    /// The instructions that the kernels use: `avx512`, `avx2`, `sse2` or `portable`.
    package let instructionSet: String
    /// How the processor's clock is governed, `performance` or `powersave` for example; nil where the system does not
    /// say.
    package let governor: String?

    /// This machine.
    init() {
        processor = MeasuredMachine.processor
        cores = ProcessInfo.processInfo.activeProcessorCount
        instructionSet = InstructionSet.inUse
        governor = try? String(contentsOfFile: "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", encoding: .utf8)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static var processor: String {
        let text = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("model name") }
        let name = line?.split(separator: ":", maxSplits: 1).last.map { $0.trimmingCharacters(in: .whitespaces) }
        return name ?? "a processor without a name"
    }
}
