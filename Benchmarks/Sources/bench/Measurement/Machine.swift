import CKernels
import CPeers
import Foundation

/// The machine and the software of a measurement.
struct Machine: Codable {
    let processor: String
    /// Instruction set of the product's kernels.
    let instructionSet: String
    let cores: Int
    /// Sizes of a core's first-level data cache, second and third level, bytes; 0 where the system does not report one.
    let caches: [Int]
    let system: String
    let compiler: String
    /// Versions of the peers.
    let peers: [String]

    init() {
        processor = Machine.line(of: "/proc/cpuinfo", starting: "model name") ?? "unknown"
        instructionSet = String(cString: prk_instruction_set())
        cores = ProcessInfo.processInfo.processorCount
        caches = (1...3).map(Machine.cache)
        system = ProcessInfo.processInfo.operatingSystemVersionString
        var (major, minor, patch): (Int32, Int32, Int32) = (0, 0, 0)
        peer_mysofa_version(&major, &minor, &patch)
        let zita = peer_zita_version()
        peers = [
            String(cString: peer_fftw_version()), "zita-convolver \(zita / 100).\(zita % 100)",
            "libmysofa \(major).\(minor).\(patch)",
        ]
        #if compiler(>=6.4)
            compiler = "Swift 6.4 or later"
        #else
            compiler = "Swift 6.3"
        #endif
    }

    /// Returns the cache level, or memory, that holds a working set of `bytes` bytes.
    func place(ofBytes bytes: Int) -> String {
        for (level, size) in caches.enumerated() where bytes <= size { return "L\(level + 1)" }
        return "memory"
    }

    private static func cache(level: Int) -> Int {
        for index in 0..<6 {
            let folder = "/sys/devices/system/cpu/cpu0/cache/index\(index)/"
            guard text(folder + "level") == "\(level)", text(folder + "type") != "Instruction",
                let size = text(folder + "size"), let number = Int(size.dropLast())
            else { continue }
            return number * (size.hasSuffix("M") ? 1 << 20 : 1 << 10)
        }
        return 0
    }

    private static func text(_ path: String) -> String? {
        try? String(contentsOfFile: path, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static func line(of path: String, starting prefix: String) -> String? {
        text(path)?.split(separator: "\n").first { $0.hasPrefix(prefix) }
            .flatMap { $0.split(separator: ":").last }.map { $0.trimmingCharacters(in: .whitespaces) }
    }
}
