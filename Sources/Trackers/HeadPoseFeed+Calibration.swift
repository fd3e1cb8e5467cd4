import Desk
import IMU

/// The calibration of a tracker's mounting by commands.
extension HeadPoseFeed {
    /// Carries out a command of a tracker's mounting calibration.
    package func perform(_ command: CalibrationCommand) -> SessionReply {
        switch command {
        case .start(let body, let seconds):
            guard let inlet = body == .head ? head : device else {
                return .refused("no tracker of the \(body.rawValue) is followed here; see --\(body.rawValue)")
            }
            guard inlet.health.received > 0 else {
                return .refused(
                    "nothing was heard yet from \(inlet.specification); 'proscenium tracker probe' tells more")
            }
            calibration.start(body, inlet, seconds: seconds)
            return .told("first: \(MountingCalibration.Step.still.instruction); calibrate/step begins it")
        case .step:
            switch calibration.step() {
            case .failure(let refusal): return .refused(refusal.reason)
            case .success(let words): return .told(words)
            }
        case .accept: return accept()
        case .cancel: return calibration.end() ? .done : .refused(TrackerCalibration.none.reason)
        }
    }

    private func accept() -> SessionReply {
        switch calibration.found() {
        case .failure(let refusal): return .refused(refusal.reason)
        case .success((let body, let inlet, let found)):
            calibration.end()
            do throws(TrackerError) {
                try remount(body, found)
            } catch {
                return .told("in use, but not remembered: \(error)")
            }
            let isSaid = inlet.specification.mounting != nil
            return .told(
                "in use and remembered for '\(inlet.id)'"
                    + (isSaid ? "; the next session has mount= of its tracker's words again" : ""))
        }
    }
}
