import Testing

@testable import Rendering

/// Returns the gain of a gate that plays in calls of `call` frames.
private func heard(_ gate: inout PlaybackGate, frames: Int, call: Int = 64) -> [Float] {
    var left = [Float](repeating: 1, count: frames)
    var right = left
    left.withUnsafeMutableBufferPointer { left in
        right.withUnsafeMutableBufferPointer { right in
            var done = 0
            while done < frames {
                let count = min(call, frames - done)
                gate.process(left.baseAddress! + done, right.baseAddress! + done, count: count)
                done += count
            }
        }
    }
    #expect(left == right)
    return left
}

@Suite struct PlaybackGateTests {
    @Test func anOpenGateChangesNothing() {
        var gate = PlaybackGate(sampleRate: 48_000)
        #expect(heard(&gate, frames: 1000).allSatisfy { $0 == 1 })
    }

    @Test(arguments: [1, 17, 64, 1024])
    func closingFadesWithinFiveMillisecondsAndOpeningLikewise(call: Int) {
        var gate = PlaybackGate(sampleRate: 48_000)
        gate.close()
        let falling = heard(&gate, frames: 1024, call: call)
        #expect(falling[239...].allSatisfy { $0 == 0 } && falling[0] > 0.999)
        let steps = (1..<1024).map { falling[$0 - 1] - falling[$0] }
        // Perlin's polynomial is steepest in its middle: 15/8 of the slope of a straight line.
        #expect(steps.allSatisfy { $0 >= 0 && $0 < 1.88 / 240 })
        gate.hold()
        gate.release()
        let isOpen = gate.isOpen
        #expect(isOpen)
        let rising = heard(&gate, frames: 1024, call: call)
        #expect(rising[239...].allSatisfy { $0 == 1 })
    }

    @Test func aReleaseUndoesOnlyTheClosingThatWasHeld() {
        let gate = PlaybackGate(sampleRate: 48_000)
        var isOpen: [Bool] = []
        gate.release()
        gate.close()
        // The session has not held this closing, so the release does not undo it.
        gate.release()
        isOpen.append(gate.isOpen)
        // Closing the closed gate again is no second closing.
        gate.hold()
        gate.close()
        gate.release()
        isOpen.append(gate.isOpen)
        // The gate is closed once more after the held closing.
        gate.close()
        gate.release()
        isOpen.append(gate.isOpen)
        #expect(isOpen == [false, true, false])
    }
}
