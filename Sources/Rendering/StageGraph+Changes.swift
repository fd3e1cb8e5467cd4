import Signal
import Soundstage

extension StageGraph {
    /// Stream frame that is rendered next.
    package var streamFrame: Int { @_noLocks get { sliceStart + position } }

    /// Begins, with silent history, at frame `frame` of a stream that already plays. Call before the first period.
    @_noLocks
    package mutating func join(atFrame frame: Int) { sliceStart = frame }

    /// Restarts the replay of recorded changes with the stream. Changes due at stream frame 0 apply immediately.
    @_noLocks
    mutating func beginAutomation() {
        guard let automation else { return }
        automation.pointee.restart()
        monitor.endReplay()
        while let change = automation.pointee.take(upTo: 0) { replay(change, atOnce: true) }
    }

    /// Applies the recorded changes that are due at the beginning of this slice. Call before any part begins the slice.
    @_noLocks
    mutating func followAutomation() {
        guard let automation else { return }
        while let change = automation.pointee.take(upTo: sliceStart) { replay(change, atOnce: false) }
    }

    /// Applies a recorded change. With `atOnce` (a stream begins) the controls of a programme are not faded.
    @_noLocks
    private mutating func replay(_ change: UnsafePointer<StageChange>, atOnce: Bool) {
        switch change.pointee.part {
        case .programme:
            if atOnce {
                programmes?.pointee.restart(change.pointee.programme, with: change.pointee.controls)
            } else {
                programmes?.pointee.automate(change.pointee.programme, change.pointee.controls)
            }
        case .room: room.pointee.isWanted = change.pointee.isOn
        case .headphones: output.ask(headphonesOn: change.pointee.isOn)
        case .loudspeakers: monitor.replay(change.pointee.switches)
        }
    }

    /// Applies the switches of the room and the headphones to the slice that begins. Records all changes of controls,
    /// if there is a ring for them.
    @_noLocks
    mutating func beginChanges() {
        let before = roomIsOn
        roomIsOn = room.pointee.isWanted
        let heardBefore = headphonesAreOn
        headphonesAreOn = output.beginSlice()
        guard let changeRecords, let programmes else { return }
        for index in 0..<programmes.pointee.count {
            let (controls, isChanged) = programmes.pointee.controls(index)
            guard isFresh || isChanged else { continue }
            _ = changeRecords.push(
                StageChange(programme: index, controls: controls, frame: sliceStart, isStart: isFresh))
        }
        let filling = programmes.pointee.controls(0).0
        if isFresh || roomIsOn != before {
            _ = changeRecords.push(
                StageChange(.room, isOn: roomIsOn, filling: filling, frame: sliceStart, isStart: isFresh))
        }
        if monitor.isUnrecorded(anew: isFresh) {
            _ = changeRecords.push(
                StageChange(monitor.switches, filling: filling, frame: sliceStart, isStart: isFresh))
        }
        // Nothing is recorded about headphones if the stage has no equalisation.
        guard let isOn = headphonesAreOn, isFresh || StageGraph.differs(heardBefore, isOn) else { return }
        _ = changeRecords.push(
            StageChange(.headphones, isOn: isOn, filling: filling, frame: sliceStart, isStart: isFresh))
    }

    /// Returns whether a value differs from the previous one; true if there is no previous one.
    @_noLocks
    private static func differs(_ before: Bool?, _ now: Bool) -> Bool {
        // `guard let` instead of `!=`: on an optional, `!=` would need the type's metadata, which takes locks.
        guard let before else { return true }
        return before != now
    }
}
