import Signal
import Soundstage

extension StageGraph {
    /// Stream frame that is rendered next.
    package var streamFrame: Int { @_noLocks get { sliceStart + position } }

    /// Joins a stream that plays already, at this frame of it, with silent history. Before the first period.
    @_noLocks
    package mutating func join(atFrame frame: Int) { sliceStart = frame }

    /// Restarts the automation with the stream; changes due at its first frame apply at once.
    @_noLocks
    mutating func beginAutomation() {
        guard let automation else { return }
        automation.pointee.restart()
        while let change = automation.pointee.take(upTo: 0) {
            switch change.pointee.part {
            case .programme:
                programmes?.pointee.restart(change.pointee.programme, with: change.pointee.controls)
            case .room: room.pointee.isWanted = change.pointee.isOn
            case .headphones: output.ask(headphonesOn: change.pointee.isOn)
            }
        }
    }

    /// Applies the changes that are due in the slice that begins.
    @_noLocks
    mutating func followAutomation() {
        if let automation {
            while let change = automation.pointee.take(upTo: sliceStart) {
                switch change.pointee.part {
                case .programme:
                    programmes?.pointee.automate(change.pointee.programme, change.pointee.controls)
                case .room: room.pointee.isWanted = change.pointee.isOn
                case .headphones: output.ask(headphonesOn: change.pointee.isOn)
                }
            }
        }
    }

    /// Applies the switches of room and headphones in the slice that begins, and records all changes.
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
        // Without an equalisation there is no record of it.
        guard let isOn = headphonesAreOn, isFresh || StageGraph.differs(heardBefore, isOn) else { return }
        _ = changeRecords.push(
            StageChange(.headphones, isOn: isOn, filling: filling, frame: sliceStart, isStart: isFresh))
    }

    /// Returns whether a value differs from the previous one; true without a previous one.
    @_noLocks
    private static func differs(_ before: Bool?, _ now: Bool) -> Bool {
        // A pattern: `!=` on an optional would need the type's metadata.
        guard let before else { return true }
        return before != now
    }
}
