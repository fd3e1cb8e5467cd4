import Glibc

/// Time for which a thread waited for a processor. On a busy machine such a wait is not a fault of the thread.
package enum ProcessorQueue {
    /// Returns the seconds for which a thread has waited so far; 0 if the kernel does not count this time. `task`: name
    /// of the thread under /proc ("thread-self", or a process id, which means its first thread).
    package static func seconds(of task: String) -> Double {
        guard let file = fopen("/proc/\(task)/schedstat", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 128)
        guard fgets(&line, 128, file) != nil else { return 0 }
        // Fields: ns run, ns waited, times scheduled.
        let words = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            .split(separator: " ")
        return words.count > 1 ? (Double(words[1]) ?? 0) * 1e-9 : 0
    }
}
