import Glibc

/// How long a thread has waited for a processor that others had: on a busy machine that is no fault of its own.
package enum ProcessorQueue {
    /// Seconds so far of the thread that `task` names under /proc ("thread-self", or a process by its number: its first
    /// thread); 0 where the kernel does not count them.
    package static func seconds(of task: String) -> Double {
        guard let file = fopen("/proc/\(task)/schedstat", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 128)
        guard fgets(&line, 128, file) != nil else { return 0 }
        // Nanoseconds run, nanoseconds waited, times it was given a processor.
        let words = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            .split(separator: " ")
        return words.count > 1 ? (Double(words[1]) ?? 0) * 1e-9 : 0
    }
}
