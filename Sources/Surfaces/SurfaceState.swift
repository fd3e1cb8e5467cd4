import Stages

/// Request of a surface: a value at an address, or (nil) an action without one.
package struct SurfaceRequest: Hashable, Sendable {
    /// Address.
    package var address: String
    /// Value; nil for an action without one.
    package var value: ParameterValue?

    /// Makes a request.
    package init(_ address: String, _ value: ParameterValue? = nil) { (self.address, self.value) = (address, value) }
}

/// Output of a surface: requests to the session, and messages to its device.
package struct SurfaceOutput: Hashable, Sendable {
    /// Requests to the session, in order.
    package var requests: [SurfaceRequest] = []
    /// Messages to the device, in order.
    package var messages: [MIDIMessage] = []

    /// Makes an output.
    package init(requests: [SurfaceRequest] = [], messages: [MIDIMessage] = []) {
        (self.requests, self.messages) = (requests, messages)
    }

    /// Appends another output.
    package static func += (a: inout SurfaceOutput, b: SurfaceOutput) {
        a.requests += b.requests
        a.messages += b.messages
    }
}

/// Values in force that a surface has received, and values it has requested that are not in force yet.
///
/// A knob that is turned fast continues from its last request, even while the session still reports earlier ones.
struct SurfaceState: Sendable {
    /// Seconds for which a request counts before the session confirms it.
    static let patience = 0.5

    private var values: [String: ParameterValue] = [:]
    private var requested: [String: (value: ParameterValue, until: Double)] = [:]

    /// Value in force.
    subscript(_ address: String) -> ParameterValue? { values[address] }

    /// Returns the value from which a control continues: the last request, else the value in force.
    func present(_ address: String, at now: Double) -> ParameterValue? {
        if let request = requested[address], request.until > now { return request.value }
        return values[address]
    }

    /// Notes a value in force. False: it is unchanged.
    mutating func hear(_ address: String, _ value: ParameterValue) -> Bool {
        if requested[address]?.value == value { requested[address] = nil }
        defer { values[address] = value }
        return values[address] != value
    }

    /// Notes and returns a request.
    mutating func request(_ address: String, _ value: ParameterValue?, at now: Double) -> SurfaceRequest {
        if let value, value.word != "toggle" { requested[address] = (value, now + Self.patience) }
        return SurfaceRequest(address, value)
    }

    /// Drops a refused request.
    mutating func refuse(_ address: String) { requested[address] = nil }
}
