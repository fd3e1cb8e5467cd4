import Signal

/// What a capture hears: inputs in two banks. One is heard; the other takes the next source, so that turning to it is a
/// fade without a gap.
///
/// Any thread but the audio thread; `take` one thread at a time.
package protocol CaptureInputs: AnyObject, Sendable {
    /// The client's name.
    var name: String { get }
    /// The server's rate.
    var sampleRate: SampleRate { get }
    /// Inputs of a bank.
    var channelCount: Int { get }
    /// Frames that were lost: the server skipped them, or they were not taken in time.
    var lostFrames: Int { get }
    /// Whether the server went away.
    var serverIsGone: Bool { get }
    /// Frames that wait.
    var waitingFrames: Int { get }

    /// Takes up to `limit` of the oldest frames into a block: the channels of bank 0, then those of bank 1; how many.
    /// Frames that were skipped are silent.
    func take(into block: borrowing PlanarBlock, limit: Int) -> Int

    /// The frame, counted from the first, that came in at a time of the host's monotonic clock, in seconds; nil before
    /// the first.
    func frame(at seconds: Double) -> Int?

    /// Ports that give sound, in the server's order.
    func sources() -> [CaptureSource]

    /// The sources a pattern of the command line names, in its order.
    func sources(named pattern: String) -> [String]

    /// Has an input of a bank hear one source alone, or none.
    ///
    /// - Throws: `notConnected`, `serverGone`.
    func connect(bank: Int, input: Int, to source: String?) throws(JACKError)

    /// Whether an input of a bank hears a source; nil: anything at all.
    func isConnected(bank: Int, input: Int, to source: String?) -> Bool

    /// Ends it; false where the server holds that up.
    func close() -> Bool
}

/// A port that gives sound.
package struct CaptureSource: Equatable, Sendable {
    /// The port's full name, `system:capture_1`.
    package var port: String
    /// Its name for people, where it has one.
    package var prettyName: String?
    /// What it belongs to: its port group, or its client.
    package var group: String
    /// Whether it is a sound card's.
    package var isPhysical: Bool

    /// A source.
    package init(port: String, prettyName: String? = nil, group: String, isPhysical: Bool) {
        (self.port, self.prettyName, self.group, self.isPhysical) = (port, prettyName, group, isPhysical)
    }
}
