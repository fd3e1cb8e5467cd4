import Convolution
import Geometry
import Inserts
import Signal
import Soundstage

extension StageGraph {
    /// Sets the filter states of the slice that begins: the state at the end of the last slice, and one at the end of
    /// each fade.
    ///
    /// Each fade ends at the pose that is forecast for the end of the fade, so the only deviation from the forecast
    /// motion is the linearity of the fade. With live poses the head turns by at most `farthestTurn` per fade, whatever
    /// a tracker reports. In the second slice of a fade that spans two slices, no new state is set. Cost: one
    /// evaluation of the field per moved source and fade.
    @_noLocks
    mutating func beginSlice(_ time: PeriodTime, heardAt: Double) {
        let forecast = mailbox.load()
        if let programmes {
            programmes.pointee.beginSlice(turns: turns, delay: bank.pointer.pointee.directDelay, atOnce: isFresh)
        }
        beginChanges()
        if elapsed > 0 {
            fieldsFollow(
                from: (halfway, roomHalfway), to: (leadPose, roomPose), anew: false, time, heardAt, forecast)
            return
        }
        for group in 0..<copyCount {
            copies[group].beginSlice(isWide: turns.isWide(copyProgrammes[group]), anew: isFresh)
        }
        retireReplaced()
        var replacement = exchange.take()
        let anew = isFresh
        if isFresh {
            if let fresh = replacement { replace(by: fresh) }
            replacement = nil
            retireReplaced()
            pose = pose(afterFrames: 0, time, heardAt, forecast)
            turnFields()
            record(afterFrames: 0, time, heardAt)
            notedTurn = nil
            _ = turnRecords?.push(TurnRecord(streamFrame: 0, perFrame: 0, isStart: true))
            placeVoices(afterFrames: 0)
            _ = bank.pointer.pointee.follow(
                turns.turns(headToStage: pose), widths: turns.widths, places: monitor.places, all: true)
            isFresh = false
        }
        states[0] = bank.pointer.pointee.state()
        stateCount = 1
        var isSwap = false
        if let replacement {
            replace(by: replacement)
            isSwap = true
        }
        let fades = max(1, slice / fade)
        let start = (leadPose, roomPose)
        if fade <= slice { fieldsBegin(at: start, anew: anew) }
        for index in 1...fades {
            let aim = pose(afterFrames: index * fade, time, heardAt, forecast)
            pose = track.isLive && time.live ? pose.turned(towards: aim, by: farthestTurn) : aim
            turns.advance(frames: fade, headToStage: pose)
            monitor.walk(frames: fade)
            placeVoices(afterFrames: index * fade)
            turnFields()
            record(afterFrames: index * fade, time, heardAt)
            if fade <= slice { fieldsAim(fade: index, at: (leadPose, roomPose), time, heardAt, forecast) }
            let isNew = isSwap && index == 1
            let moved = bank.pointer.pointee.follow(
                turns.turns(headToStage: pose), widths: turns.widths, places: monitor.places, all: isNew)
            states[index] = bank.pointer.pointee.state()
            if moved || isNew { stateCount = fades + 1 }
        }
        programmes?.pointee.aimColours(
            bank.pointer.pointee.colours, turns: turns.turns(headToStage: pose), room: room.pointee,
            isNew: isSwap || anew, frames: max(slice, fade), atOnce: anew)
        guard fade > slice else { return }
        (halfway, roomHalfway) = (start.0.slerp(to: leadPose, 0.5), start.1.slerp(to: roomPose, 0.5))
        fieldsFollow(from: start, to: (halfway, roomHalfway), anew: anew, time, heardAt, forecast)
    }

    /// Derives two poses from the head's pose: relative to the leading stage (that of `StageConfiguration.lead`), and
    /// relative to the room.
    @_noLocks
    private mutating func turnFields() {
        leadPose = turns.lead(headToStage: pose)
        roomPose = turns.room(headToStage: pose)
    }

    /// Sets the directions of the voices of sound fields' mixes for the time `frames` frames after the slice's
    /// beginning.
    @_noLocks
    private func placeVoices(afterFrames frames: Int) {
        if voiceCount > 0, let programmes { programmes.pointee.placeVoices(monitor.places, ahead: frames) }
    }

    /// Begins a slice of the sound fields and of the room at the given poses.
    @_noLocks
    private func fieldsBegin(at start: (lead: Quaternion, room: Quaternion), anew: Bool) {
        programmes?.pointee.begin(headToStage: start.lead, anew: anew)
        room.pointee.beginSlice(headToStage: start.room, isOn: roomIsOn, anew: anew)
    }

    /// Sets the poses of the sound fields and of the room at the end of one of the slice's fades, counted from 1. A
    /// room also gets a later pose, `RoomStage.lookahead` frames after the slice.
    @_noLocks
    private mutating func fieldsAim(
        fade index: Int, at end: (lead: Quaternion, room: Quaternion), _ time: PeriodTime, _ heardAt: Double,
        _ forecast: PoseForecast
    ) {
        programmes?.pointee.aim(fade: index, headToStage: end.lead)
        guard room.pointee.isPresent else { return }
        let later = turns.room(
            headToStage: pose(afterFrames: slice + RoomStage.lookahead, time, heardAt, forecast))
        room.pointee.aim(
            fade: index, headToStage: end.room, later: later,
            turn: track.turn(streamSeconds: Double(sliceStart) / sampleRate))
        guard let turnRecords, index == max(1, slice / fade), notedTurn != room.pointee.expectedTurn else { return }
        notedTurn = room.pointee.expectedTurn
        _ = turnRecords.push(TurnRecord(streamFrame: sliceStart, perFrame: room.pointee.expectedTurn))
    }

    /// Begins a slice of the sound fields and the room, and fades them once from the pose `start` to the pose `end`.
    @_noLocks
    private mutating func fieldsFollow(
        from start: (Quaternion, Quaternion), to end: (Quaternion, Quaternion), anew: Bool, _ time: PeriodTime,
        _ heardAt: Double,
        _ forecast: PoseForecast
    ) {
        fieldsBegin(at: start, anew: anew)
        fieldsAim(fade: 1, at: end, time, heardAt, forecast)
    }

    /// Largest turn of the head with live poses during one fade, radians.
    private var farthestTurn: Double { @_noLocks get { StageTurns.farthestPerSecond * Double(fade) / sampleRate } }

    /// Records the head's pose at the end of a fade, if poses are recorded.
    @_noLocks
    private func record(afterFrames frames: Int, _ time: PeriodTime, _ heardAt: Double) {
        guard let poseRecords else { return }
        _ = poseRecords.push(
            PoseRecord(
                streamFrame: sliceStart + frames, headToStage: pose,
                heardAt: time.live ? heardAt + Double(frames) / sampleRate : .nan))
    }

    /// Ends a slice that is completely rendered.
    @_noLocks
    mutating func endSlice() {
        history.advance()
        for group in 0..<copyCount { copies[group].endSlice() }
        programmes?.pointee.endSlice()
        room.pointee.endSlice()
        position = 0
        sliceStart += slice
        elapsed = fade > slice && elapsed == 0 ? slice : 0
    }

    /// Replaces the filters. The old filters are also rendered until the slice ends.
    @_noLocks
    private mutating func replace(by bank: BankReference) {
        parting = self.bank
        self.bank = bank
    }

    /// Gives back the replaced filters, so that another thread can free them.
    @_noLocks
    private mutating func retireReplaced() {
        guard let old = parting else { return }
        exchange.retire(old)
        parting = nil
    }

    /// Returns the rotation from head to stage at a time `frames` frames after the slice's beginning.
    @_noLocks
    private func pose(
        afterFrames frames: Int, _ time: PeriodTime, _ heardAt: Double, _ forecast: PoseForecast
    ) -> Quaternion {
        let late = posesFollowSound ? inserts.pointee.beforeEars : 0
        return track.headToStage(
            streamSeconds: (Double(sliceStart + frames) - late) / sampleRate,
            hostSeconds: heardAt + Double(frames) / sampleRate,
            live: time.live, forecast: forecast)
    }
}
