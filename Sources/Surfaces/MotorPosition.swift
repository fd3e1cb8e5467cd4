/// Position of a motor fader, of a knob with a ring of lamps, or of a lamp, with the time from which it may be moved.
/// Callers pass the time in seconds.
///
/// The motor does not work against the finger: a control that is touched or was just moved is not driven. After its
/// release it is driven to the present value. A position that the device already shows is not sent again.
struct MotorPosition: Sendable {
    /// Time after the last motion during which the control is not driven, seconds. The session reports the value that
    /// the motion has set much sooner.
    static let rest = 0.3

    /// Whether the device must receive each position to which it was moved, because it otherwise returns to the
    /// position that it received last.
    let wantsEcho: Bool
    /// Position that the device shows; nil if it is unknown.
    private(set) var shown: Int?
    /// Position that is sent when the control may be driven.
    private(set) var pending: Int?
    /// Whether a finger touches the control.
    private(set) var isTouched = false
    private var heldUntil = -Double.infinity

    /// Creates a control whose position is unknown.
    init(wantsEcho: Bool = false) { self.wantsEcho = wantsEcho }

    /// Records a motion to a position. It replaces any position that was held back.
    mutating func moved(to position: Int, at now: Double) {
        (shown, pending) = wantsEcho ? (nil, position) : (position, nil)
        heldUntil = max(heldUntil, now + Self.rest)
    }

    /// Records that a finger touches or releases the control.
    mutating func touch(_ isTouched: Bool, at now: Double) {
        self.isTouched = isTouched
        heldUntil = max(heldUntil, now + Self.rest)
    }

    /// Sets the position of the present value. Returns the position to be sent, if one is due.
    mutating func show(_ position: Int, at now: Double) -> Int? {
        pending = position
        return settle(at: now)
    }

    /// Returns the position that was held back, when it may be sent.
    mutating func settle(at now: Double) -> Int? {
        guard let position = pending, !isTouched, now >= heldUntil else { return nil }
        pending = nil
        guard position != shown else { return nil }
        shown = position
        return position
    }

    /// Time at which the position that is held back may be sent, seconds; nil if there is none, or while the control is
    /// touched.
    var next: Double? { pending != nil && !isTouched ? heldUntil : nil }

    /// Resets the shown position to unknown, and the control to untouched, for example when the device was just
    /// connected.
    mutating func forget() { (shown, isTouched, heldUntil) = (nil, false, -.infinity) }
}
