/// Incidents of a take's files.
package enum CaptureIncident: Equatable, Sendable {
    /// The next part has begun. The value is its path.
    case nextPart(String)
    /// Writing has failed, for example on a full disk. The files contain `seconds` so far, and the take waits.
    case outOfRoom(seconds: Double, reason: String)
    /// A part is complete. The values are the paths of its files.
    case completed([String])
    /// A file of a part could not be written or completed. The value is the reason.
    case incomplete(String)
}
