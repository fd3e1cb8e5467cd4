import Geometry
import Loading
import Rendering
import Soundstage

extension StageAssembly {
    /// Applies the metadata and the user's settings to the main programme, before the first period.
    ///
    /// - Returns: remarks, one on each setting.
    package func follow(
        _ plan: DynamicsPlan, _ metadata: ProgrammeMetadata?, _ settings: StageSettings
    ) throws(SessionError) -> [String] {
        guard let main = renderer.lead else { return [] }
        guard layout.ambisonics == nil || main.programme.mix != nil || (metadata?.width ?? 0) == 0 else {
            throw SessionError(.input, StageRefusal.noWidth(of: layout) + ": take 'width' out of its metadata")
        }
        main.change { $0.dynamics = plan.controls }
        var lines = [plan.line].compactMap(\.self)
        if let place = metadata?.place, settings.programmes.changes["place"] == nil {
            let k = Double.pi / 180
            let turned = Rotation<Stage, Stage>(yaw: place.yaw * k, pitch: place.pitch * k, roll: place.roll * k)
            main.change { $0.place = turned.quaternion }
            lines.append("place: \(place.yaw)°, \(place.pitch)°, \(place.roll)°, from its metadata")
        }
        if let width = metadata?.width, width > 0, settings.programmes.changes["source-width"] == nil {
            guard !isMeasured(main.programme.name) else {
                throw SessionError(
                    .usage,
                    StageRefusal.noWidthInRoom(main.programme.name)
                        + "; --source-width 0 ignores the width in its metadata")
            }
            main.change { $0.width = width * Double.pi / 180 }
            lines.append("width: \(width)°, from its metadata")
        }
        if let content = metadata?.content, layout.ambisonics == nil, settings.programmes.changes["spatialize"] == nil,
            settings.programmes.content == nil
        {
            main.change { $0.policy = content.policy }
            lines.append("content: \(content.rawValue), from its metadata")
        }
        return lines
    }
}
