/// An event on the connection to a tracker.
package enum TransportEvent: Sendable {
    /// The connection is open, or open again: the decoder's opening messages are sent now. `place`: name of the device,
    /// the same each time it is plugged in; nil without one. `decoder`: decoder for the bytes from now on, where the
    /// device defines their layout.
    case opened(place: String?, decoder: (any TrackerDecoder)? = nil)
    /// Received bytes: a datagram, a report, a MIDI message, or a piece of a serial stream, with their arrival in
    /// seconds of the host's monotonic clock, and their sender where several can send.
    case bytes([UInt8], arrival: Double, sender: DatagramSender? = nil)
    /// Number of datagrams dropped unread: more arrived than any tracker sends.
    case shed(Int)
    /// A recorded reading, played at its time of the host's monotonic clock.
    case played(TrackerReading, at: Double)
    /// The connection is lost; the transport tries to reopen it until it is stopped.
    case lost(reason: String)
}

/// Carries a tracker's bytes in both directions: a socket, a serial line, a HID device, MIDI, a file.
///
/// Any thread may call its methods. `receive` is called on the transport's own thread, one call at a time; the returned
/// messages are sent to the source of the event.
package protocol TrackerTransport: AnyObject, Sendable {
    /// Opens the connection; throws where it cannot be opened now. The transport repairs later losses by itself.
    func start(receive: @escaping @Sendable (TransportEvent) -> [[UInt8]]) async throws(TrackerError)

    /// Sends messages to the tracker, in order; drops them without a connection or a known sender.
    func send(_ messages: [[UInt8]])

    /// Closes the connection; `receive` is not called once this has returned.
    func stop() async

    /// Tries the next speed or dialect, where the user has not fixed it; called after a while without a sample. Returns
    /// false without another.
    func tryNext() -> Bool

    /// UDP port in use, once open; nil without one.
    var localPort: Int? { get }
}

extension TrackerTransport {
    /// By default there is no alternative.
    package func tryNext() -> Bool { false }
    /// By default there is no port.
    package var localPort: Int? { nil }
}
