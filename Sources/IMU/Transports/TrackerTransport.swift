/// An event on the connection to a tracker.
package enum TransportEvent: Sendable {
    /// The connection is open, or open again, or has changed its baud rate. The reply contains the decoder's opening
    /// messages. `place`: name of the device, the same each time it is plugged in; nil if there is none. `decoder`:
    /// decoder for the following bytes if the device defines their layout, otherwise nil.
    case opened(place: String?, decoder: (any TrackerDecoder)? = nil)
    /// Received bytes: a datagram, a report, a MIDI message, or a piece of a serial stream. `arrival`: seconds of the
    /// host's monotonic clock. `sender`: the sender if several senders are possible, otherwise nil.
    case bytes([UInt8], arrival: Double, sender: DatagramSender? = nil)
    /// Number of datagrams that were dropped unread, because more arrived than any tracker sends.
    case shed(Int)
    /// A recorded reading, played at this time of the host's monotonic clock, seconds.
    case played(TrackerReading, at: Double)
    /// The connection is lost. The transport tries to reopen it until it is stopped.
    case lost(reason: String)
}

/// Transports a tracker's bytes in both directions: a socket, a serial line, a HID device, MIDI, a file.
///
/// Methods may be called on any thread. `receive` is called on the transport's own thread, one call at a time. The
/// messages that it returns are sent to the source of the event.
package protocol TrackerTransport: AnyObject, Sendable {
    /// Opens the connection. Throws if it cannot be opened now. After a later loss the transport reopens it without a
    /// call.
    func start(receive: @escaping @Sendable (TransportEvent) -> [[UInt8]]) async throws(TrackerError)

    /// Sends messages to the tracker, in order. Messages are dropped without a connection or a known sender.
    func send(_ messages: [[UInt8]])

    /// Closes the connection; `receive` is not called once `stop` has returned.
    func stop() async

    /// Tries the next baud rate if the user has not chosen one; called after some time without a sample. Returns false
    /// if there is no alternative.
    func tryNext() -> Bool

    /// UDP port in use, once open; nil if there is none.
    var localPort: Int? { get }
}

extension TrackerTransport {
    /// By default there is no alternative.
    package func tryNext() -> Bool { false }
    /// By default there is no port.
    package var localPort: Int? { nil }
}
