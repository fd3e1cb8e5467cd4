import Signal
import Soundstage

extension StageGraph {
    /// Where the stream begins, what is due at its first frame is in force at once.
    @_noLocks
    mutating func beginScore() {
        guard let score else { return }
        score.pointee.restart()
        while let change = score.pointee.take(upTo: 0) {
            switch change.pointee.part {
            case .programme: programmes?.pointee.restart(change.pointee.programme, with: change.pointee.controls)
            case .room: room.pointee.isWanted = change.pointee.isOn
            }
        }
    }

    /// Brings what is due into force with the slice that begins.
    @_noLocks
    mutating func followScore() {
        if let score {
            while let change = score.pointee.take(upTo: sliceStart) {
                switch change.pointee.part {
                case .programme: programmes?.pointee.score(change.pointee.programme, change.pointee.controls)
                case .room: room.pointee.isWanted = change.pointee.isOn
                }
            }
        }
    }

    /// Notes what came into force with the slice that begins.
    @_noLocks
    mutating func noteChanges() {
        let before = roomIsOn
        roomIsOn = room.pointee.isWanted
        guard let changeRecords, let programmes else { return }
        for index in 0..<programmes.pointee.count {
            let (controls, isChanged) = programmes.pointee.controls(index)
            guard isFresh || isChanged else { continue }
            _ = changeRecords.push(
                StageChange(programme: index, controls: controls, frame: sliceStart, isStart: isFresh))
        }
        guard isFresh || roomIsOn != before else { return }
        _ = changeRecords.push(
            StageChange(
                roomIsOn: roomIsOn, filling: programmes.pointee.controls(0).0, frame: sliceStart, isStart: isFresh))
    }
}
