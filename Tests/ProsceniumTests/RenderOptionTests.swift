import ArgumentParser
import Testing

@testable import proscenium

/// Numbers that `render` is given.
@Suite struct RenderOptionTests {
    @Test(
        arguments: zip(
            ["yaw", "pitch", "roll", "yaw", "pitch", "roll", "yaw"],
            ["1e300", "-1e300", "nan", "inf", "720.1", "9223372036854775807", ""]))
    func `An angle that no head has is refused by its option`(name: String, value: String) {
        #expect(throws: (any Error).self) {
            try Proscenium.parseAsRoot(["render", "a.wav", "b.wav", "--\(name)=\(value)"])
        }
    }

    @Test func `Angles of two turns pass`() throws {
        let words = ["render", "a.wav", "b.wav", "--yaw=-720", "--pitch=1e-320", "--roll=90"]
        let command = try #require(try Proscenium.parseAsRoot(words) as? RenderCommand)
        #expect(command.yaw == -720 && command.roll == 90)
    }
}
