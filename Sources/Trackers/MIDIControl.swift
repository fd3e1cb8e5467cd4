import AudioIO
import Loading
import Synchronization

/// Recentres the head when a MIDI key or pedal is pressed. The MIDI messages arrive through a separate JACK client.
package final class MIDIControl: Sendable {
    /// Port and trigger: `PORT[,note=N|,cc=N]`.
    package struct Binding: Hashable, Sendable {
        /// Message that recentres.
        enum Trigger: Hashable, Sendable {
            /// The note with this number, or every note if it is nil, on any channel.
            case note(UInt8?)
            /// A controller that rises to 64 or above, on any channel.
            case controller(UInt8)
        }

        /// Part of the name or of an alias of a JACK port, regardless of case.
        let port: String
        /// Message that recentres.
        let trigger: Trigger

        /// Parses the text of the option. Without a trigger every note recentres. Throws if the text is invalid.
        package init(parsing text: String) throws(SessionError) {
            let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            port = parts[0]
            let words =
                parts.count == 2
                ? parts[1].split(separator: "=", omittingEmptySubsequences: false).map(String.init) : []
            let number = words.count == 2 ? UInt8(words[1]).flatMap { $0 < 128 ? $0 : nil } : nil
            switch (parts.count, words.first, number) {
            case (1, _, _): trigger = .note(nil)
            case (2, "note", let number?): trigger = .note(number)
            case (2, "cc", let number?): trigger = .controller(number)
            default: throw SessionError(.usage, Self.complaint(text))
            }
            guard !port.isEmpty else { throw SessionError(.usage, Self.complaint(text)) }
        }

        private static func complaint(_ text: String) -> String {
            "MIDI control is PORT, PORT,note=0…127 or PORT,cc=0…127 with a part of a JACK MIDI port's name, not '\(text)'"
        }
    }

    private let client: JACKMIDIClient

    /// Opens the JACK client. Calls `recentre` on the client's thread at the start of each press. Throws if the client
    /// cannot be opened or no port matches.
    package init(_ binding: Binding, name: String, recentre: @escaping @Sendable () -> Void) throws(SessionError) {
        client = JACKMIDIClient(pattern: binding.port, name: name)
        let press = Mutex(Press(binding.trigger))
        do throws(JACKError) {
            try client.start { event in
                guard case .message(let bytes, _) = event else {
                    // The pedal of a device that was disconnected counts as released.
                    if case .disconnected = event { press.withLock { $0 = Press(binding.trigger) } }
                    return
                }
                if press.withLock({ $0.begins(with: bytes) }) { recentre() }
            }
        } catch {
            throw SessionError(error)
        }
    }

    /// Closes the JACK client. Blocks for up to three seconds.
    package func stop() { client.stop() }

    /// Detects the start of a press, as opposed to its continuation and end.
    package struct Press {
        private let trigger: Binding.Trigger
        private var isDown = false

        init(_ trigger: Binding.Trigger) { self.trigger = trigger }

        /// Returns whether a message starts a press.
        mutating func begins(with bytes: [UInt8]) -> Bool {
            guard bytes.count == 3 else { return false }
            switch (trigger, bytes[0] & 0xF0) {
            case (.note(let note), 0x90):
                // A note-on of velocity 0 is a note-off.
                return bytes[2] > 0 && (note ?? bytes[1]) == bytes[1]
            case (.controller(bytes[1]), 0xB0):
                defer { isDown = bytes[2] >= 64 }
                return bytes[2] >= 64 && !isDown
            default: return false
            }
        }
    }
}
