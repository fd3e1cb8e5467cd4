import Signal

/// A client that plays a sound on loudspeakers and records both ears at the same time, on the same clock.
///
/// May be used on any thread but the audio thread, for one exchange at a time.
package protocol SweepExchange: AnyObject, Sendable {
    /// The server's rate.
    var sampleRate: SampleRate { get }
    /// Names of the loudspeakers, in the order of the signals.
    var loudspeakers: [String] { get }

    /// Plays a signal for each loudspeaker, `[loudspeaker][frame]`, all of equal lengths, and records both ears for the
    /// same time. Frame 0 of the signals and frame 0 of the recording are the same frame of the server's clock.
    ///
    /// - Parameter goesOn: called about 25 times a second while the sound plays. If it returns false, the sound fades
    ///   out within a period.
    /// - Returns: the recording; nil after `goesOn` has returned false.
    /// - Throws: `serverGone`.
    func exchange(_ signals: [[Float]], goesOn: () -> Bool) async throws(JACKError) -> ExchangedTake?

    /// Closes the client; false if the server does not respond in time.
    func close() -> Bool
}

/// Recording of both ears.
package struct ExchangedTake: Sendable {
    /// Samples of the ears, equally long.
    package var left: [Float], right: [Float]
    /// Number of frames that the server skipped during the recording.
    package var lostFrames: Int

    /// Makes a recording of both ears.
    package init(left: [Float], right: [Float], lostFrames: Int = 0) {
        (self.left, self.right, self.lostFrames) = (left, right, lostFrames)
    }
}
