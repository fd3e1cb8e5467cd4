/// Inputs of a stage's client that reach the ears past the stage; each is there only where it is asked for.
package struct MonitorInputs: OptionSet, Sendable, Hashable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// A voice that speaks to the listener, one port.
    package static let talkback = MonitorInputs(rawValue: 1)
    /// Two channels to compare the stage with.
    package static let reference = MonitorInputs(rawValue: 2)

    /// Their ports, as patchbays show them: those of the reference first, left before right.
    var ports: [StagePort] {
        (contains(.reference) ? Self.referencePorts : []) + (contains(.talkback) ? [Self.talkbackPort] : [])
    }

    private static let referencePorts = [
        StagePort(symbol: "ref_L", prettyName: "Reference Left", group: "Reference"),
        StagePort(symbol: "ref_R", prettyName: "Reference Right", group: "Reference"),
    ]
    private static let talkbackPort = StagePort(symbol: "talkback", prettyName: "Talkback", group: "Talkback")
}
