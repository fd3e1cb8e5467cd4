import Foundation
import Glibc
import Testing

@testable import Takes

/// Names of outputs and of their temporary files.
@Suite struct OutputNameTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "names.\(UUID())").path

    init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

    @Test func `A long name with characters of several bytes has a temporary file`() {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (descriptor, name) = TemporaryFile.open(beside: "\(folder)/\(String(repeating: "ü", count: 120)).wav")
        #expect(descriptor >= 0, "errno \(errno)")
        close(descriptor)
        #expect(name.hasSuffix(".part") && FileManager.default.fileExists(atPath: name))
    }

    @Test(arguments: [1, 39, 40, 41]) func `As many links are followed as in the kernel`(_ count: Int) {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let target = folder + "/film.wav"
        var last = target
        for number in 1...count {
            let link = "\(folder)/\(number)"
            symlink(last, link)
            last = link
        }
        #expect(OutputPlace(last).resolved == (count <= 40 ? target : last))
    }
}
