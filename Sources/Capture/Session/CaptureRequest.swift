/// Requests to a running capture.
package enum CaptureRequest: Equatable, Sendable {
    /// Begins a take. It includes the pre-roll, which is the sound of the last seconds before the request.
    case begin
    /// Ends the take.
    case end
    /// Begins (true) or ends (false) a take, unless this is already the state; nil inverts the state.
    case turn(on: Bool?)
    /// Sets a marker at the present time. Without a name it is numbered.
    case mark(String?)
    /// Changes to other sources, whose ports match the pattern; one source for each input.
    case source(String)
    /// Sets the orientation of the device.
    case orientation(InputOrientation)
    /// Sets the stereo rendition.
    case rendition(StereoRendition)
}
