import Stages

/// Request of a surface for a value at an address, or for an action without a value.
package struct SurfaceRequest: Hashable, Sendable {
    /// Address.
    package var address: String
    /// Value; nil for an action without one.
    package var value: ParameterValue?

    /// Creates a request.
    package init(_ address: String, _ value: ParameterValue? = nil) { (self.address, self.value) = (address, value) }
}

/// Output of a surface: requests to the session, and messages to its device.
package struct SurfaceOutput: Hashable, Sendable {
    /// Requests to the session, in order.
    package var requests: [SurfaceRequest] = []
    /// Messages to the device, in order.
    package var messages: [MIDIMessage] = []

    /// Creates an output.
    package init(requests: [SurfaceRequest] = [], messages: [MIDIMessage] = []) {
        (self.requests, self.messages) = (requests, messages)
    }

    /// Appends another output.
    package static func += (a: inout SurfaceOutput, b: SurfaceOutput) {
        a.requests += b.requests
        a.messages += b.messages
    }
}

/// Present values that a surface has received, and values that it has requested but that are not yet present.
///
/// A knob that is turned fast continues from its last request, even while the session still reports earlier ones.
struct SurfaceState: Sendable {
    /// Seconds for which a request counts as the present value if the session does not confirm it.
    static let patience = 0.5

    private var values: [String: ParameterValue] = [:]
    private var requested: [String: (value: ParameterValue, until: Double)] = [:]

    /// Present value at an address.
    subscript(_ address: String) -> ParameterValue? { values[address] }

    /// Returns the value from which a control continues. It is the last request, or otherwise the present value.
    func present(_ address: String, at now: Double) -> ParameterValue? {
        if let request = requested[address], request.until > now { return request.value }
        return values[address]
    }

    /// Stores a present value. Returns false if it is unchanged.
    mutating func hear(_ address: String, _ value: ParameterValue) -> Bool {
        if requested[address]?.value == value { requested[address] = nil }
        defer { values[address] = value }
        return values[address] != value
    }

    /// Returns a request, and stores its value. A toggle, or an action without a value, is not stored.
    mutating func request(_ address: String, _ value: ParameterValue?, at now: Double) -> SurfaceRequest {
        if let value, value.word != "toggle" { requested[address] = (value, now + Self.patience) }
        return SurfaceRequest(address, value)
    }

    /// Removes the value and the request of an address that the session no longer has. Returns false if there was
    /// neither.
    @discardableResult
    mutating func forget(_ address: String) -> Bool {
        let value = values.removeValue(forKey: address)
        let request = requested.removeValue(forKey: address)
        return value != nil || request != nil
    }

    /// Removes a refused request.
    mutating func refuse(_ address: String) { requested[address] = nil }
}
