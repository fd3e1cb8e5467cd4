import Geometry
import Rendering
import Signal
import Soundstage

extension LiveSession {
    /// Carries out a command for one programme, or (nil) for all.
    func perform(_ command: ProgrammeCommand, on name: String?) -> SessionReply {
        let all = stage.assembly.renderer.askable
        var meant = all.filter { name == nil || $0.programme.name == name }
        guard !meant.isEmpty else {
            let known = all.map(\.programme.name).joined(separator: ", ")
            return .refused("there is no input '\(name ?? "")'; there are \(known)")
        }
        if let field = stage.assembly.renderer.soundField, let reason = refusal(of: command),
            meant.contains(where: { $0 === field })
        {
            // Asked of all, it is for the others.
            meant.removeAll { $0 === field }
            if meant.isEmpty { return .refused(reason) }
        }
        switch command {
        case .upmix, .opening:
            let opened = meant.filter { $0.programme.upmix != nil }
            guard !opened.isEmpty else {
                return .refused("nothing is upmixed here; start the session with --upmix identity or energy")
            }
            for programme in opened { change(programme, by: command) }
            return .done
        default: break
        }
        if case .rendition = command {
            let twofold = meant.filter(\.programme.hasBothRenditions)
            guard !twofold.isEmpty else {
                return .refused("there is one rendition alone; start the session with --stereo-rendition")
            }
            for programme in twofold { change(programme, by: command) }
            return .done
        }
        if case .width(let degrees) = command, degrees > 0 {
            let stuck = meant.filter { stage.assembly.isMeasured($0.programme.name) }
            if let first = stuck.first, stuck.count == meant.count || name != nil {
                return .refused(StageRefusal.noWidthInRoom(first.programme.name))
            }
            for programme in meant where !stuck.contains(where: { $0 === programme }) {
                change(programme, by: command)
            }
            return .done
        }
        if case .dynamics(let word) = command { return perform(word, on: meant) }
        for programme in meant { change(programme, by: command) }
        return .done
    }

    /// Why a sound field cannot do something; nil where it can.
    private func refusal(of command: ProgrammeCommand) -> String? {
        switch command {
        case .level, .place, .dynamics: nil
        case .mode(let mode): mode == .off ? StageRefusal.noFold(of: layout) : nil
        case .spatialize(let what): what == .none || what == .stereo ? StageRefusal.noFold(of: layout) : nil
        case .width(let degrees): degrees > 0 ? StageRefusal.noWidth(of: layout) : nil
        case .upmix, .opening: "a sound field (\(layout.name)) holds no stereo to open"
        case .rendition: "a sound field (\(layout.name)) has one rendition"
        }
    }

    private func change(_ renderer: ProgrammeRenderer, by command: ProgrammeCommand) {
        switch command {
        case .level(let decibels):
            renderer.change { $0.level = decibels == -.infinity ? 0 : Float(Decibels(decibels).amplitude) }
        case .place(let yaw, let pitch, let roll):
            let k = Double.pi / 180
            let place = Rotation<Stage, Stage>(yaw: yaw * k, pitch: pitch * k, roll: roll * k)
            renderer.change { $0.place = place.quaternion }
        case .width(let degrees): renderer.change { $0.width = degrees * Double.pi / 180 }
        case .mode(let mode):
            let role = renderer.programme.role
            renderer.change { $0.mode = role.mode(in: mode.mode) }
        case .upmix(let on): renderer.change { $0.opening.isOpen = on }
        case .opening(let centre, let width, let ambience):
            let amounts = UpmixControls(centre: Float(centre), width: Float(width), ambience: Float(ambience))
            renderer.change { $0.opening.amounts = amounts }
        case .spatialize(let what):
            // A sound field stands on the stage in any case.
            if renderer !== stage.assembly.renderer.soundField { renderer.change { $0.policy = what.policy } }
        case .rendition(let word): renderer.change { $0.renditions.choice = word.choice }
        // Weighed with all that is said, above.
        case .dynamics: return
        }
        // What was asked for outlives a stage that is prepared anew.
        wishes[renderer.programme.name] = renderer.controls
    }

    /// Asks a stage that was prepared anew for what was asked of the last one.
    func repeatWishes(to renderer: StageRenderer) {
        for programme in renderer.askable {
            guard let wish = wishes[programme.programme.name] else { continue }
            programme.change {
                $0 = wish
                // What was measured belongs to the stage that is gone.
                $0.renditions.match = RenditionMatch()
            }
        }
    }
}
