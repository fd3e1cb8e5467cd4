/// Where one motor fader, knob with a ring of lamps, or lamp of a device stands, and when it may be moved; a value,
/// without time of its own.
///
/// A finger and a motor do not fight: what is touched, or was moved just now, is not moved by us; when it is let go it
/// is brought to where the value then is. What the device shows already is not sent again.
struct MotorPosition: Sendable {
    /// Seconds after the last motion during which it is left alone. The value that was set by the motion comes back a
    /// good deal sooner.
    static let rest = 0.3

    /// Whether the device goes back to where it was told to be, unless it is told to be where it was moved to.
    let wantsEcho: Bool
    /// What the device shows, as far as it is known.
    private(set) var shown: Int?
    /// What it is to show when it may be moved.
    private(set) var pending: Int?
    /// Whether a finger is on it.
    private(set) var isTouched = false
    private var heldUntil = -Double.infinity

    /// One that shows nothing that is known.
    init(wantsEcho: Bool = false) { self.wantsEcho = wantsEcho }

    /// It was moved to a position, at a time. What was held back is older than that.
    mutating func moved(to position: Int, at now: Double) {
        (shown, pending) = wantsEcho ? (nil, position) : (position, nil)
        heldUntil = max(heldUntil, now + Self.rest)
    }

    /// A finger was put on it, or taken off.
    mutating func touch(_ isTouched: Bool, at now: Double) {
        self.isTouched = isTouched
        heldUntil = max(heldUntil, now + Self.rest)
    }

    /// The value is now at a position. Returns what to send, if anything is to be sent now.
    mutating func show(_ position: Int, at now: Double) -> Int? {
        pending = position
        return settle(at: now)
    }

    /// Returns what was held back, as soon as it may be sent.
    mutating func settle(at now: Double) -> Int? {
        guard let position = pending, !isTouched, now >= heldUntil else { return nil }
        pending = nil
        guard position != shown else { return nil }
        shown = position
        return position
    }

    /// When something that is held back may be sent; nil where nothing is, or a finger is on it.
    var next: Double? { pending != nil && !isTouched ? heldUntil : nil }

    /// The device may show anything now, as where it was just connected.
    mutating func forget() { (shown, isTouched, heldUntil) = (nil, false, -.infinity) }
}
