import Stages

/// Strip of a map with its resolved targets. Addresses that the session lacks are omitted.
struct MackieChannel: Sendable {
    let name: String
    let fader: SurfaceTarget?
    /// Targets that the buttons toggle.
    let buttons: [MackieWire.StripButton: SurfaceTarget]
    let knobs: [Knob]

    struct Knob: Sendable {
        let target: SurfaceTarget
        let step: Double?

        /// Shape of the ring. It starts from the middle if the range is symmetric about zero, otherwise from the left.
        /// It is a dot without a range.
        var ring: MackieWire.Ring {
            guard let range = target.law?.range else { return .dot }
            return range.lowerBound == -range.upperBound ? .fromMiddle : .fromLeft
        }
    }

    init(_ strip: MackieMap.Strip, _ table: SurfaceTable, _ faults: inout [String]) {
        name = strip.name
        let place = "strip '\(strip.name)'"
        fader = strip.fader.flatMap { Self.target($0, nil, table, place, &faults, mustMove: true) }
        var buttons: [MackieWire.StripButton: SurfaceTarget] = [:]
        for (button, address) in [
            (MackieWire.StripButton.mute, strip.mute), (.solo, strip.solo), (.record, strip.record),
            (.select, strip.select),
        ] {
            buttons[button] = address.flatMap { Self.target($0, nil, table, place, &faults) }
        }
        self.buttons = buttons
        knobs = strip.knobs.compactMap { knob in
            Self.target(knob.address, knob.part, table, place, &faults).map { Knob(target: $0, step: knob.step) }
        }
    }

    /// Returns the target of an address. Returns nil and adds a fault if the session lacks the address or its part, or
    /// if the address takes no value although `mustMove` is true.
    static func target(
        _ address: String, _ part: String?, _ table: SurfaceTable, _ place: String, _ faults: inout [String],
        mustMove: Bool = false
    ) -> SurfaceTarget? {
        func fault(_ text: String) -> SurfaceTarget? {
            faults.append(SurfaceMapError(place, text).description)
            return nil
        }
        guard let scale = table(address) else {
            return fault("is bound to '\(address)', which is no address of this session")
        }
        let index = part.map { name in scale.numbers.firstIndex { $0.name == name } } ?? 0
        guard let index else { return fault("moves '\(part ?? "")' of \(address), which has no such part") }
        if mustMove, scale.numbers.isEmpty, scale.states.isEmpty {
            return fault("has a fader for \(address), which takes no value")
        }
        return SurfaceTarget(address, scale, part: index)
    }

    /// Returns the knob on a page of knobs; nil if the strip has no such page.
    func knob(_ page: Int) -> Knob? { page < knobs.count ? knobs[page] : nil }

    /// Returns whether the strip shows an address.
    func shows(_ address: String) -> Bool {
        fader?.address == address || buttons.values.contains { $0.address == address }
            || knobs.contains { $0.target.address == address }
    }
}
