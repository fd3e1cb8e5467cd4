import Signal

/// Inputs of a capture (a recording with a microphone array), in two banks. One bank is in use. The next sources are
/// connected to the other one, so that the change to them is a crossfade without a gap.
///
/// May be used on any thread except the audio thread. Only one thread at a time may call `take`.
package protocol CaptureInputs: AnyObject, Sendable {
    /// Name of the client.
    var name: String { get }
    /// The server's sample rate.
    var sampleRate: SampleRate { get }
    /// Number of inputs of a bank.
    var channelCount: Int { get }
    /// Number of frames lost, because the server skipped them or because the buffer was full.
    var lostFrames: Int { get }
    /// Whether the server is gone or the client is closed.
    var serverIsGone: Bool { get }
    /// Frames that wait in the buffer.
    var waitingFrames: Int { get }

    /// Moves the oldest frames, at most `limit`, into a block: the channels of bank 0, then those of bank 1. Returns
    /// the number of frames. Frames that the server skipped are silent.
    func take(into block: borrowing PlanarBlock, limit: Int) -> Int

    /// Returns the number of the frame that was captured at a time of the host's monotonic clock, seconds. Nil before
    /// the first frame and after `close`.
    func frame(at seconds: Double) -> Int?

    /// Returns the ports that provide sound, in the server's order.
    func sources() -> [CaptureSource]

    /// Returns the sources that a pattern of the command line names, in the order of the pattern.
    func sources(named pattern: String) -> [String]

    /// Connects an input of a bank to `source` and disconnects all other sources. Nil disconnects all sources.
    ///
    /// - Throws: `notConnected` or `serverGone`.
    func connect(bank: Int, input: Int, to source: String?) throws(JACKError)

    /// Returns whether an input of a bank is connected to a source; with nil, whether it is connected to any source.
    func isConnected(bank: Int, input: Int, to source: String?) -> Bool

    /// Closes the client. Returns false if the server does not respond in time.
    func close() -> Bool
}

/// A port that provides sound.
package struct CaptureSource: Equatable, Sendable {
    /// The port's full name, such as `system:capture_1`.
    package var port: String
    /// Display name of the port; nil if the port has no display name.
    package var prettyName: String?
    /// Client and group of the port, as `CLIENT: GROUP`; only the client if the port has no group.
    package var group: String
    /// Whether the port belongs to a sound card.
    package var isPhysical: Bool

    /// Makes a source; see the properties.
    package init(port: String, prettyName: String? = nil, group: String, isPhysical: Bool) {
        (self.port, self.prettyName, self.group, self.isPhysical) = (port, prettyName, group, isPhysical)
    }
}
