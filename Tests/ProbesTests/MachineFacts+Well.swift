import AudioIO
import HRTF
import Signal

@testable import Probes

extension MachineFacts {
    /// Returns the facts of a machine without findings (jackd with a card, limits, Debian's set, no tracker), changed
    /// by `change`.
    static func well(_ change: (inout MachineFacts) -> Void = { _ in }) -> MachineFacts {
        var facts = MachineFacts(
            set: .success(
                PlayedSet(name: "MIT KEMAR", path: HRTFLibrary.systemDefault, isGenerated: false)))
        facts.server = .success(.usual())
        facts.programs = ["jackd", "pw-jack"]
        facts.card = "hw:PCH"
        facts.ownSet = "/home/ann/.local/share/proscenium/hrtf/default.sofa"
        change(&facts)
        return facts
    }
}

extension MachineFacts.Server {
    /// A server at 48 kHz with periods of 256 frames.
    static func usual(isPipeWire: Bool = false, playbackPorts: Int = 2) -> MachineFacts.Server {
        MachineFacts.Server(
            isPipeWire: isPipeWire, sampleRate: .studio, periodFrames: 256, playbackPorts: playbackPorts)
    }
}
