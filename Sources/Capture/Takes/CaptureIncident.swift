/// Incidents of a take's files.
package enum CaptureIncident: Equatable, Sendable {
    /// The next part has begun, with its path.
    case nextPart(String)
    /// Writing has failed, as on a full disk: the files hold `seconds` so far, and the take waits.
    case outOfRoom(seconds: Double, reason: String)
    /// A part is complete, with the paths of its files.
    case completed([String])
    /// A part could not be completed, with the reason.
    case incomplete(String)
}
