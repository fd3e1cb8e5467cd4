import Foundation
import Testing

/// Returns the numbers of a BROAD recording (gzip-compressed CSV) without its header. A field that is no number gives
/// NaN.
func recordedRows(_ path: String) throws -> [[Double]] {
    let unpack = Process()
    unpack.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    unpack.arguments = ["gzip", "-dc", path]
    let pipe = Pipe()
    unpack.standardOutput = pipe
    try unpack.run()
    let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
    unpack.waitUntilExit()
    try #require(unpack.terminationStatus == 0)
    return bytes.split(separator: UInt8(ascii: "\n")).dropFirst().map { line in
        String(decoding: line, as: UTF8.self).split(separator: ",").map { Double($0) ?? .nan }
    }
}
