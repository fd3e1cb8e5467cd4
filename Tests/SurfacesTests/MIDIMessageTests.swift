import Testing

@testable import Surfaces

@Suite struct MIDIMessageTests {
    @Test func messagesAreReadByTheirStatus() {
        let cases: [([UInt8], MIDIMessage)] = [
            ([0x83, 60, 64], .noteOff(channel: 3, note: 60, velocity: 64)),
            ([0x90, 60, 1], .noteOn(channel: 0, note: 60, velocity: 1)),
            ([0x90, 60, 0], .noteOff(channel: 0, note: 60, velocity: 0)),
            ([0xA1, 2, 3], .keyPressure(channel: 1, note: 2, pressure: 3)),
            ([0xBF, 7, 127], .controller(channel: 15, number: 7, value: 127)),
            ([0xC2, 5], .program(channel: 2, number: 5)),
            ([0xD4, 6], .channelPressure(channel: 4, pressure: 6)),
            ([0xE8, 0x7F, 0x3F], .pitchBend(channel: 8, value: 8191)),
            ([0xF0, 1, 2, 0xF7], .system([0xF0, 1, 2, 0xF7])),
        ]
        for (bytes, message) in cases {
            #expect(MIDIMessage(bytes) == message)
            #expect(message.bytes == bytes)
        }
    }

    @Test func whatIsNoWholeMessageIsNone() {
        let cases: [[UInt8]] = [
            [], [60], [0x7F, 1, 2], [0x90], [0x90, 60], [0x90, 60, 1, 2], [0x90, 0x80, 1], [0xB0, 1, 0x80],
            [0xC0, 1, 2],
            [0xC0], [0xF8], [0xF1, 1], [0xF0], [0xF0, 1, 2], [0xF0, 0x80, 0xF7], [0xFF],
        ]
        for bytes in cases { #expect(MIDIMessage(bytes) == nil, "\(bytes)") }
    }

    @Test func everyShortMessageGoesThereAndBack() {
        for status in UInt8(0x80)..<0xF0 {
            let isShort = status & 0xE0 == 0xC0
            for (first, second) in [(0, 1), (127, 127), (64, 1)] as [(UInt8, UInt8)] {
                let bytes = isShort ? [status, first] : [status, first, second]
                #expect(MIDIMessage(bytes)?.bytes == bytes)
            }
        }
    }
}

@Suite struct RelativeEncodingTests {
    @Test func stepsAreReadInThreeEncodings() {
        #expect([1, 2, 63, 127, 126, 65].map(RelativeEncoding.twosComplement.steps) == [1, 2, 63, -1, -2, -63])
        #expect([65, 66, 63, 62, 64].map(RelativeEncoding.binaryOffset.steps) == [1, 2, -1, -2, 0])
        #expect([1, 2, 65, 66, 64].map(RelativeEncoding.signBit.steps) == [1, 2, -1, -2, 0])
    }

    @Test func anEndlessKnobIsKnownByRepeatingItself() {
        #expect(RelativeEncoding(observed: [1, 1, 127, 127]) == .twosComplement)
        #expect(RelativeEncoding(observed: [127, 127, 126]) == .twosComplement)
        #expect(RelativeEncoding(observed: [1, 1, 2]) == .twosComplement)
        #expect(RelativeEncoding(observed: [65, 65, 63]) == .binaryOffset)
        #expect(RelativeEncoding(observed: [63, 63, 63]) == .binaryOffset)
        #expect(RelativeEncoding(observed: [1, 1, 65, 65]) == .signBit)
    }

    @Test func aPositionIsNoEndlessKnob() {
        for values: [UInt8] in [
            [], [1], [1, 1], [1, 2, 3, 4], [127, 126, 125], [60, 61, 62, 63, 65], [30, 30, 31], [0, 127, 0],
        ] {
            #expect(RelativeEncoding(observed: values) == nil, "\(values)")
        }
    }
}

@Suite struct SurfaceControlTests {
    @Test func controlsAreWrittenAndReadInTheSameWords() {
        for words in ["note 36", "cc 7", "cc14 1", "bend", "program", "program 3"] {
            #expect(SurfaceControl(words)?.written == words)
        }
        for words in [
            "", "note", "note 128", "note x", "cc -1", "cc14 32", "bend 1", "program 128", "cc 7 8", "knob 1",
        ] {
            #expect(SurfaceControl(words) == nil, "\(words)")
        }
    }

    @Test func aControlHearsItsOwnChannelAndWithoutOneAll() {
        let message = MIDIMessage.controller(channel: 4, number: 7, value: 9)
        #expect(SurfaceControl(.controller(7), channel: 4).event(message) == .value(9))
        #expect(SurfaceControl(.controller(7), channel: 5).event(message) == nil)
        #expect(SurfaceControl(.controller(7)).event(message) == .value(9))
        #expect(SurfaceControl(.controller(8)).event(message) == nil)
    }

    @Test func aPairTakesBothHalves() {
        let pair = SurfaceControl(.pair(7), channel: 0)
        #expect(pair.event(.controller(channel: 0, number: 7, value: 100)) == .coarse(100))
        #expect(pair.event(.controller(channel: 0, number: 39, value: 5)) == .fine(5))
        let sent: [MIDIMessage] = [
            .controller(channel: 0, number: 7, value: 100), .controller(channel: 0, number: 39, value: 5),
        ]
        #expect(pair.messages(100 << 7 | 5) == sent)
    }
}
