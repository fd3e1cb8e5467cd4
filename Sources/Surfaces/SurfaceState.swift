import Stages

/// Something that a surface wants: a value at an address, or (nil) a deed.
package struct SurfaceRequest: Hashable, Sendable {
    /// The address.
    package var address: String
    /// The value; nil where something is only to be done.
    package var value: ParameterValue?

    /// A request.
    package init(_ address: String, _ value: ParameterValue? = nil) { (self.address, self.value) = (address, value) }
}

/// What a surface says: to the session, and to its device.
package struct SurfaceOutput: Hashable, Sendable {
    /// What is to be done, in order.
    package var requests: [SurfaceRequest] = []
    /// What the device is told, in order.
    package var messages: [MIDIMessage] = []

    /// Says this.
    package init(requests: [SurfaceRequest] = [], messages: [MIDIMessage] = []) {
        (self.requests, self.messages) = (requests, messages)
    }

    /// Appends what else is said.
    package static func += (a: inout SurfaceOutput, b: SurfaceOutput) {
        a.requests += b.requests
        a.messages += b.messages
    }
}

/// The values in force, as far as a surface has heard of them, and those it has asked for and not heard of yet.
///
/// A knob that is turned fast goes on from what it asked for last,
/// whatever the session says of what it asked for before.
struct SurfaceState: Sendable {
    /// Seconds for which what was asked for counts before the session has said it.
    static let patience = 0.5

    private var values: [String: ParameterValue] = [:]
    private var requested: [String: (value: ParameterValue, until: Double)] = [:]

    /// What the session says.
    subscript(_ address: String) -> ParameterValue? { values[address] }

    /// The value to go on from.
    func present(_ address: String, at now: Double) -> ParameterValue? {
        if let request = requested[address], request.until > now { return request.value }
        return values[address]
    }

    /// The session says what is in force. False: that was known.
    mutating func hear(_ address: String, _ value: ParameterValue) -> Bool {
        if requested[address]?.value == value { requested[address] = nil }
        defer { values[address] = value }
        return values[address] != value
    }

    /// The surface asks for a value.
    mutating func request(_ address: String, _ value: ParameterValue?, at now: Double) -> SurfaceRequest {
        if let value, value.word != "toggle" { requested[address] = (value, now + Self.patience) }
        return SurfaceRequest(address, value)
    }

    /// What was asked for is not done.
    mutating func refuse(_ address: String) { requested[address] = nil }
}
