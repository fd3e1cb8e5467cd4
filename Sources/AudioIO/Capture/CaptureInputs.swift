import Signal

/// Inputs of a capture, in two banks: one in use, the other for the next source, so that a switch is a crossfade
/// without a gap.
///
/// Any thread but the audio thread; `take` on one thread at a time.
package protocol CaptureInputs: AnyObject, Sendable {
    /// Name of the client.
    var name: String { get }
    /// The server's rate.
    var sampleRate: SampleRate { get }
    /// Number of inputs of a bank.
    var channelCount: Int { get }
    /// Frames lost: skipped by the server, or dropped as the buffer was full.
    var lostFrames: Int { get }
    /// Whether the server is gone.
    var serverIsGone: Bool { get }
    /// Frames that wait in the buffer.
    var waitingFrames: Int { get }

    /// Moves up to `limit` of the oldest frames into a block: the channels of bank 0, then those of bank 1. Returns
    /// their number. Skipped frames are silent.
    func take(into block: borrowing PlanarBlock, limit: Int) -> Int

    /// Returns the number of the frame captured at a time of the host's monotonic clock, in seconds; nil before the
    /// first frame.
    func frame(at seconds: Double) -> Int?

    /// Returns the ports that provide sound, in the server's order.
    func sources() -> [CaptureSource]

    /// Returns the sources that a pattern of the command line names, in its order.
    func sources(named pattern: String) -> [String]

    /// Connects an input of a bank to one source only, or (nil) to none.
    ///
    /// - Throws: `notConnected`, `serverGone`.
    func connect(bank: Int, input: Int, to source: String?) throws(JACKError)

    /// Returns whether an input of a bank is connected to a source; nil: to any.
    func isConnected(bank: Int, input: Int, to source: String?) -> Bool

    /// Closes the client; false if the server does not respond in time.
    func close() -> Bool
}

/// A port that provides sound.
package struct CaptureSource: Equatable, Sendable {
    /// The port's full name, `system:capture_1`.
    package var port: String
    /// Its display name; nil without one.
    package var prettyName: String?
    /// Its port group, or its client.
    package var group: String
    /// Whether it belongs to a sound card.
    package var isPhysical: Bool

    /// Sets all fields.
    package init(port: String, prettyName: String? = nil, group: String, isPhysical: Bool) {
        (self.port, self.prettyName, self.group, self.isPhysical) = (port, prettyName, group, isPhysical)
    }
}
