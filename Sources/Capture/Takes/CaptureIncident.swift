/// Incidents of a take's files.
package enum CaptureIncident: Equatable, Sendable {
    /// The next part has begun. The value is its path.
    case nextPart(String)
    /// Writing has failed, for example on a full disk. The files contain `seconds` so far, and the take waits.
    case outOfRoom(seconds: Double, reason: String)
    /// A part is complete. The value is the paths of its files.
    case completed([String])
    /// A part could not be completed. The value is the reason.
    case incomplete(String)
}
