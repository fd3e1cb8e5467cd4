/// What happened to a take, to be told.
package enum CaptureIncident: Equatable, Sendable {
    /// The next part has begun, as it was named.
    case nextPart(String)
    /// There is no more room: `seconds` are in the files so far, and the take waits.
    case outOfRoom(seconds: Double, reason: String)
    /// A part is complete: the names of its files.
    case completed([String])
    /// A part could not be completed.
    case incomplete(String)
}
