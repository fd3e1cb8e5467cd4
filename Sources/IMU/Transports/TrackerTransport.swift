/// What happens on the way between a tracker and us.
package enum TransportEvent: Sendable {
    /// The way is open, or open again: what the tracker is told at the beginning is sent now. `place` names the device
    /// at the other end where there is one, the same each time it is plugged in; `decoder` reads what comes from now
    /// on, where the device says how.
    case opened(place: String?, decoder: (any TrackerDecoder)? = nil)
    /// Bytes came: a datagram, a report, a MIDI message, or a piece of a serial stream, with the seconds of the host's
    /// monotonic clock at which they did, and their sender where more than one can send.
    case bytes([UInt8], arrival: Double, sender: DatagramSender? = nil)
    /// So many datagrams were thrown away unread: more came than any tracker sends.
    case shed(Int)
    /// A recorded reading, played again at its time of the host's monotonic clock.
    case played(TrackerReading, at: Double)
    /// The way is cut; the transport tries to open it again until it is stopped.
    case lost(reason: String)
}

/// Carries a tracker's bytes here and ours there: a socket, a serial line, a HID device, MIDI, a file.
///
/// Any thread may call its methods. `receive` is called on the transport's own thread, one call at a time; what it
/// returns is sent to where the event came from.
package protocol TrackerTransport: AnyObject, Sendable {
    /// Opens the way; throws where that cannot succeed as things are. Later breaks are mended by itself.
    func start(receive: @escaping @Sendable (TransportEvent) -> [[UInt8]]) async throws(TrackerError)

    /// Sends messages to the tracker, in order; nothing where the way is cut or no sender has been heard.
    func send(_ messages: [[UInt8]])

    /// Closes the way; `receive` is not called once this has returned.
    func stop() async

    /// Tries the next speed or dialect, where the user left that open; called when nothing understandable has come for
    /// a while. False where there is none.
    func tryNext() -> Bool

    /// The UDP port in use, once open.
    var localPort: Int? { get }
}

extension TrackerTransport {
    /// By default there is nothing else to try.
    package func tryNext() -> Bool { false }
    /// By default there is no port.
    package var localPort: Int? { nil }
}
