import Desk
import Stages

extension LiveSession {
    /// Status of the monitor section at this moment.
    var monitorStatus: MonitorStatus {
        let settings = monitoring
        let names = loudspeakerNames.enumerated().filter { loudspeakerNames.firstIndex(of: $1) == $0 }.map(\.element)
        return MonitorStatus(
            level: settings.levelInAll, isDimmed: settings.isDimmed,
            isMuted: settings.isMuted, isMono: settings.isMono,
            silent: zip(names, settings.gains(of: names)).filter { $1 == 0 }.map(\.0),
            inverted: names.filter { settings.loudspeakers[$0]?.isInverted == true }, reference: settings.reference,
            noise: settings.noise.flatMap { names.contains($0) ? $0 : nil }, foldDown: settings.foldDown,
            comparison: settings.comparison?.rawValue,
            hearsReference: settings.hearsReference, isTalking: settings.isTalking, isAway: settings.isAway)
    }
}
