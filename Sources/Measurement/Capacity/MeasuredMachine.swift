import Foundation
import Signal

/// Machine of a measurement.
package struct MeasuredMachine: Codable, Sendable, Hashable {
    /// Model name of the processor; a substitute text if the system reports none.
    package let processor: String
    /// Number of active processors.
    package let cores: Int
    /// Instruction set of the kernels: `avx512`, `avx2`, `sse2` or `portable`.
    package let instructionSet: String
    /// Frequency governor of the first processor, such as `performance`; nil if the system reports none.
    package let governor: String?

    /// Reads the properties of this machine.
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
