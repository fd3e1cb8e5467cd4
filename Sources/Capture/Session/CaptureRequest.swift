/// Requests to a running capture.
package enum CaptureRequest: Equatable, Sendable {
    /// Begins a take, with the pre-roll.
    case begin
    /// Ends the take.
    case end
    /// Begins or ends a take if the present state differs; nil toggles.
    case turn(on: Bool?)
    /// Sets a marker at the present time; nil numbers it.
    case mark(String?)
    /// Changes to other sources, whose ports match the pattern; one source for each input.
    case source(String)
    /// Sets the orientation of the device.
    case orientation(InputOrientation)
    /// Sets the stereo rendition.
    case rendition(StereoRendition)
}
