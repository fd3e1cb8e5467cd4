import Desk
import OSC
import Stages
import Testing

@testable import Control

@Suite struct LoudnessMessageTests {
    /// Returns the command of a message; nil where the message is refused.
    private func command(_ message: OSCMessage) -> SessionCommand? {
        if case .success(let command) = ControlMessages.command(from: message) { command } else { nil }
    }

    @Test(arguments: [
        ("programme-loudness", "-18.5"), ("dialnorm", "-27"), ("loudness-target", "rf"), ("drc", "film-light"),
        ("drc-cut", "0.5"), ("drc-boost", "0"),
    ])
    func whatIsSaidOfLoudnessGoesThereAndBack(_ key: String, _ value: String) throws {
        for name in [nil, "film"] {
            let asked = SessionCommand.set(try ParameterChange(key, [value], input: name))
            #expect(command(ControlMessages.message(for: asked)) == asked)
        }
    }

    @Test func numbersMayBeWords() throws {
        let dialnorm = SessionCommand.set(try ParameterChange("dialnorm", ["-27"]))
        #expect(command(OSCMessage("/proscenium/dialnorm", [.int32(-27)])) == dialnorm)
        #expect(command(OSCMessage("/proscenium/dialnorm", [.float(-27)])) == dialnorm)
        #expect(command(OSCMessage("/proscenium/dialnorm", [.string("-27")])) == dialnorm)
        #expect(command(OSCMessage("/proscenium/dialnorm", [.float(-27.5)])) == nil)
        #expect(command(OSCMessage("/proscenium/loudness-target", [.float(-23.5)])) != nil)
    }

    @Test func theMetersAreAskedForAndBegunAnew() {
        for reset in [false, true] {
            let asked = SessionCommand.loudness(reset: reset)
            #expect(command(ControlMessages.message(for: asked)) == asked)
        }
    }

    @Test(arguments: [
        OSCMessage("/proscenium/drc", [.string("loud")]), OSCMessage("/proscenium/dialnorm", [.int32(-40)]),
        OSCMessage("/proscenium/loudness-target"), OSCMessage("/proscenium/loudness", [.string("now")]),
        OSCMessage("/proscenium/drc-cut", [.float(.nan)]), OSCMessage("/proscenium/drc-cut", [.float(1e30)]),
    ])
    func whatSaysNothingIsRefused(_ message: OSCMessage) { #expect(command(message) == nil) }
}
