import AudioIO
import Capture
import Signal
import Testing

@testable import proscenium

@Suite struct CaptureListingTests {
    @Test func `A source beyond those that are measured is not called silent`() throws {
        let most = CaptureListing.most
        let sources = (1...most + 1).map {
            CaptureSource(port: "card:capture_\($0)", group: "card", isPhysical: true)
        }
        let rows = CaptureListing.rows(sources, InputMeter(channels: most, sampleRate: .studio))
        #expect(rows.map(\.measured) == [Bool](repeating: true, count: most) + [false])
        // The first line is the group.
        let lines = CaptureListing.text(rows).split(separator: "\n").dropFirst()
        try #require(lines.count == most + 1)
        #expect(lines.dropLast().allSatisfy { $0.hasSuffix("silent") })
        #expect(lines.last?.hasSuffix("not measured") == true)
    }
}
