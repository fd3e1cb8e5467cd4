/// Inputs of a stage's client that lead directly to the outputs, without rendering. Each is opened only on request.
package struct MonitorInputs: OptionSet, Sendable, Hashable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Talkback to the listener, one port.
    package static let talkback = MonitorInputs(rawValue: 1)
    /// Two channels for comparison with the stage.
    package static let reference = MonitorInputs(rawValue: 2)

    /// The ports of these inputs, as patchbays show them. Those of the reference are first, left before right.
    var ports: [StagePort] {
        (contains(.reference) ? Self.referencePorts : []) + (contains(.talkback) ? [Self.talkbackPort] : [])
    }

    private static let referencePorts = [
        StagePort(symbol: "ref_L", prettyName: "Reference Left", group: "Reference"),
        StagePort(symbol: "ref_R", prettyName: "Reference Right", group: "Reference"),
    ]
    private static let talkbackPort = StagePort(symbol: "talkback", prettyName: "Talkback", group: "Talkback")
}
