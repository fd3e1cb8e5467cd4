import Desk
import IMU

/// The calibration of a tracker's mounting by commands.
extension HeadPoseFeed {
    /// Carries out a command of a tracker's mounting calibration.
    package func perform(_ command: SessionCommand.Calibration) -> SessionReply {
        switch command {
        case .start(let body, let seconds):
            guard let inlet = body == .head ? head : device else {
                return .refused("this session has no tracker of the \(body.rawValue); see --\(body.rawValue)")
            }
            guard inlet.health.received > 0 else {
                return .refused(
                    "no data has arrived from \(inlet.specification) yet; 'proscenium tracker probe' shows what it "
                        + "sends")
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
                return .told("the mounting is in use, but was not stored: \(error)")
            }
            let isSaid = inlet.specification.mounting != nil
            return .told(
                "the mounting is in use and stored for '\(inlet.id)'"
                    + (isSaid ? "; the next session uses the tracker's option mount= again" : ""))
        }
    }
}
