import Rendering
import Soundstage

extension LiveSession {
    /// Before a stage plays for the first time: has in force what a session's folder says. What takes a stage that plays waits.
    func takeUpFormer() {
        guard let former = settings.former else { return }
        var left = former.values.sorted { $0.key < $1.key }
        Self.$isTakingUp.withValue(true) {
            // What depends on another of them can be set after it.
            for _ in 0..<2 {
                left.removeAll { address, value in
                    valuesInForce()[address] == value || putAtFirst(value, at: address) == nil
                }
            }
        }
        takeUp(modes: former.modes)
        unopened = Dictionary(uniqueKeysWithValues: left)
    }

    /// Has in force what of a session's folder is not yet; returns what is refused, and why.
    func takeUpRest(of former: FormerValues) async -> [(address: String, refusal: String)] {
        if settings.former != nil {
            defer { unopened = [:] }
            return await put(unopened.mapValues { $0 })
        }
        let refusals = await put(former.values.mapValues { $0 })
        takeUp(modes: former.modes)
        return refusals
    }

    /// Remembers how the inputs were before a comparison that is under way.
    func takeUp(modes: [String: String]) {
        guard monitoring.comparison != nil else { return }
        for input in stage.assembly.renderer.inputs {
            let name = input.programme.name
            if let mode = modes[name].flatMap({ StageMode(word: $0) }) { monitoring.modes[name] = mode }
        }
    }

    /// How the inputs were before a comparison, a word by name; nothing where none is under way.
    var modesBefore: [String: String] { monitoring.comparison == nil ? [:] : monitoring.modes.mapValues(\.word) }
}
