/// Position of a motor fader, of a knob with a ring of lamps, or of a lamp, with the time from which it may be moved. A
/// value without a clock of its own.
///
/// Finger and motor do not fight: a control that is touched, or was moved just now, is not driven; after its release it
/// is driven to the value in force. A position that the device already shows is not sent again.
struct MotorPosition: Sendable {
    /// Seconds after the last motion during which the control is not driven. The value that the motion set comes back
    /// much sooner.
    static let rest = 0.3

    /// Whether the device returns to its last received position, unless it receives the position it was moved to.
    let wantsEcho: Bool
    /// Position that the device shows; nil: unknown.
    private(set) var shown: Int?
    /// Position to send when the control may be driven.
    private(set) var pending: Int?
    /// Whether a finger touches the control.
    private(set) var isTouched = false
    private var heldUntil = -Double.infinity

    /// Makes a control whose position is unknown.
    init(wantsEcho: Bool = false) { self.wantsEcho = wantsEcho }

    /// Notes a motion to a position, which supersedes any position that was held back.
    mutating func moved(to position: Int, at now: Double) {
        (shown, pending) = wantsEcho ? (nil, position) : (position, nil)
        heldUntil = max(heldUntil, now + Self.rest)
    }

    /// Notes that a finger touches or releases the control.
    mutating func touch(_ isTouched: Bool, at now: Double) {
        self.isTouched = isTouched
        heldUntil = max(heldUntil, now + Self.rest)
    }

    /// Sets the position of the value in force. Returns the position to send, if one is due.
    mutating func show(_ position: Int, at now: Double) -> Int? {
        pending = position
        return settle(at: now)
    }

    /// Returns the position that was held back, once it may be sent.
    mutating func settle(at now: Double) -> Int? {
        guard let position = pending, !isTouched, now >= heldUntil else { return nil }
        pending = nil
        guard position != shown else { return nil }
        shown = position
        return position
    }

    /// Time at which the position that is held back may be sent; nil without one, or while the control is touched.
    var next: Double? { pending != nil && !isTouched ? heldUntil : nil }

    /// Forgets the shown position, as when the device was just connected.
    mutating func forget() { (shown, isTouched, heldUntil) = (nil, false, -.infinity) }
}
