import Desk
import Stages

extension LiveSession {
    /// Status of the monitor section at this moment. A test finds a property that is missing here.
    var monitorStatus: MonitorStatus {
        let settings = monitoring
        let names = loudspeakerNames.enumerated().filter { loudspeakerNames.firstIndex(of: $1) == $0 }.map(\.element)
        var status = MonitorStatus()
        (status.level, status.reference) = (settings.levelInAll, settings.reference)
        (status.isDimmed, status.isMuted, status.isMono) = (settings.isDimmed, settings.isMuted, settings.isMono)
        status.silent = zip(names, settings.gains(of: names)).filter { $1 == 0 }.map(\.0)
        status.inverted = names.filter { settings.loudspeakers[$0]?.isInverted == true }
        status.noise = settings.noise.flatMap { names.contains($0) ? $0 : nil }
        (status.foldDown, status.comparison) = (settings.foldDown, settings.comparison?.rawValue)
        (status.hearsReference, status.isTalking) = (settings.hearsReference, settings.isTalking)
        status.isAway = settings.isAway
        return status
    }
}
