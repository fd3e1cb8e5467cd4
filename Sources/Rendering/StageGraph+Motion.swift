import Convolution
import Geometry
import Signal

extension StageGraph {
    /// Decides the filter states of the slice that begins: where the last one ended, and where each fade is to end.
    ///
    /// Each fade is aimed at the pose for the moment it ends, so that the filters are never behind the head by more
    /// than the fade's own straightness. A live head turns by `farthestTurn` at most, whatever a tracker says. Cost: one
    /// evaluation per moved source and fade.
    @_noLocks
    mutating func beginSlice(_ time: PeriodTime, heardAt: Double) {
        let forecast = mailbox.load()
        retireReplaced()
        var replacement = exchange.take()
        let anew = isFresh
        if isFresh {
            if let fresh = replacement { replace(by: fresh) }
            replacement = nil
            retireReplaced()
            pose = pose(afterFrames: 0, time, heardAt, forecast)
            record(afterFrames: 0, time, heardAt)
            _ = bank.pointer.pointee.follow(headToStage: pose, all: true)
            isFresh = false
        }
        ambisonics?.pointee.beginSlice(headToStage: pose, anew: anew)
        room.pointee.beginSlice(headToStage: pose, anew: anew)
        let later = self.pose(afterFrames: slice + RoomStage.lookahead, time, heardAt, forecast)
        states[0] = bank.pointer.pointee.state()
        stateCount = 1
        var isSwap = false
        if let replacement {
            replace(by: replacement)
            isSwap = true
        }
        let fades = slice / fade
        for index in 1...fades {
            let aim = pose(afterFrames: index * fade, time, heardAt, forecast)
            pose = track.isLive && time.live ? pose.turned(towards: aim, by: farthestTurn) : aim
            record(afterFrames: index * fade, time, heardAt)
            ambisonics?.pointee.aim(fade: index, headToStage: pose)
            room.pointee.aim(fade: index, headToStage: pose, later: later)
            let isNew = isSwap && index == 1
            let moved = bank.pointer.pointee.follow(headToStage: pose, all: isNew)
            states[index] = bank.pointer.pointee.state()
            if moved || isNew { stateCount = fades + 1 }
        }
    }

    /// Radians by which a live head turns in one fade at most: 680 degrees a second, faster than listeners turn, and less
    /// than a degree in 64 frames at 44.1 kHz.
    private var farthestTurn: Double { @_noLocks get { 680 / 180 * Double.pi * Double(fade) / sampleRate } }

    /// Notes the pose aimed at, where poses are recorded.
    @_noLocks
    private func record(afterFrames frames: Int, _ time: PeriodTime, _ heardAt: Double) {
        guard let poseRecords else { return }
        _ = poseRecords.push(
            PoseRecord(
                streamFrame: sliceStart + frames, headToStage: pose,
                heardAt: time.live ? heardAt + Double(frames) / sampleRate : .nan))
    }

    /// Leaves a slice that is complete.
    @_noLocks
    mutating func endSlice() {
        history.advance()
        ambisonics?.pointee.endSlice()
        room.pointee.endSlice()
        position = 0
        sliceStart += slice
    }

    /// Takes new filters into use; the old ones are heard until the slice ends.
    @_noLocks
    private mutating func replace(by bank: BankReference) {
        parting = self.bank
        self.bank = bank
    }

    /// Hands back filters that are no longer heard.
    @_noLocks
    private mutating func retireReplaced() {
        guard let old = parting else { return }
        exchange.retire(old)
        parting = nil
    }

    /// Head to stage a number of frames after the slice's beginning.
    @_noLocks
    private func pose(
        afterFrames frames: Int, _ time: PeriodTime, _ heardAt: Double, _ forecast: PoseForecast
    ) -> Quaternion {
        track.headToStage(
            streamSeconds: Double(sliceStart + frames) / sampleRate, hostSeconds: heardAt + Double(frames) / sampleRate,
            live: time.live, forecast: forecast)
    }
}
