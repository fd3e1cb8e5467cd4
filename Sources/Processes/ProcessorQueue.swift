import Glibc

/// Time for which a thread waited for a processor: on a busy machine, such delays are not its fault.
package enum ProcessorQueue {
    /// Returns the seconds so far of the thread that `task` names under /proc ("thread-self", or a process id: its
    /// first thread); 0 where the kernel does not count them.
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
