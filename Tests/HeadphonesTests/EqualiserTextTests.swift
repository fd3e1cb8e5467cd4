import Headphones
import Testing

@Suite("Texts of Equalizer APO and AutoEq")
struct EqualiserTextTests {
    private func read(_ text: String) throws(HeadphonesError) -> EqualiserText {
        try EqualiserText(text, name: "eq.txt")
    }

    /// Returns the error for a text.
    private func refusal(_ text: String) -> String {
        do throws(HeadphonesError) {
            _ = try read(text)
            return ""
        } catch { return error.description }
    }

    @Test("AutoEq's text is read as it is written")
    func autoEq() throws {
        let text = try read(
            """
            Preamp: -6.6 dB
            Filter 1: ON LSC Fc 105 Hz Gain 5.5 dB Q 0.70
            Filter 2: ON PK Fc 2066 Hz Gain -0.9 dB Q 0.71
            Filter 10: ON HSC Fc 10000 Hz Gain -2.1 dB Q 0.70

            """)
        #expect(text.preamp == [-6.6, -6.6])
        #expect(
            text.filters == [
                EqualiserFilter(.lowShelf, hertz: 105, gain: 5.5, width: .quality(0.7)),
                EqualiserFilter(.peak, hertz: 2066, gain: -0.9, width: .quality(0.71)),
                EqualiserFilter(.highShelf, hertz: 10_000, gain: -2.1, width: .quality(0.7)),
            ])
        #expect(text.remarks.isEmpty)
    }

    @Test("Marks, line ends, case, decimal commas, missing numbers and spaces make no difference")
    func writings() throws {
        let plain = try read("Preamp: -3.5 dB\nFilter 1: ON PK Fc 105.5 Hz Gain -2.5 dB Q 0.70\n")
        for other in [
            "\u{FEFF}Preamp: -3.5 dB\r\nFilter 1: ON PK Fc 105.5 Hz Gain -2.5 dB Q 0.70\r\n",
            "preamp: -3,5 db\nFILTER: on peq fc 105,5 hz gain -2,5 db q 0,70",
            "# by hand\nPreamp:-3.5dB\nFilter: ON Modal Fc 105.5Hz Gain -2.5dB Q 0.70 T60 target 300 ms",
            "Preamp: -1 dB\nPreamp: -2.5 dB\n  Filter  7 :\tON\u{A0}PK   Fc\u{A0}105.5 Hz\tGain  -2.5 dB  Q 0.70",
        ] {
            let text = try read(other)
            #expect(text.preamp == plain.preamp && text.filters == plain.filters && text.remarks.isEmpty, "\(other)")
        }
    }

    @Test("Every kind of filter is known, with the widths Equalizer APO gives those that say none")
    func kinds() throws {
        let text = try read(
            """
            Filter: ON LP Fc 100 Hz
            Filter: ON HPQ Fc 100 Hz Q 2
            Filter: ON BP Fc 100 Hz
            Filter: ON NO Fc 100 Hz
            Filter: ON AP Fc 100 Hz Q 1
            Filter: ON PK Fc 100 Hz Gain 3 dB BW Oct 0.5
            Filter: ON LS Fc 100 Hz Gain 3 dB
            Filter: ON HS 6dB Fc 100 Hz Gain 3 dB
            Filter: ON LSC 12 dB Fc 100 Hz Gain 3 dB
            Filter: OFF PK Fc 100 Hz Gain 3 dB Q 1
            Filter: ON None
            """)
        let usual = EqualiserFilter.Width.quality(0.5.squareRoot())
        #expect(
            text.filters == [
                EqualiserFilter(.lowPass, hertz: 100, width: usual),
                EqualiserFilter(.highPass, hertz: 100, width: .quality(2)),
                EqualiserFilter(.bandPass, hertz: 100, width: usual),
                EqualiserFilter(.notch, hertz: 100, width: .quality(30)),
                EqualiserFilter(.allPass, hertz: 100, width: .quality(1)),
                EqualiserFilter(.peak, hertz: 100, gain: 3, width: .octaves(0.5)),
                EqualiserFilter(.lowShelf, hertz: 100, gain: 3, width: .slope(0.9)),
                EqualiserFilter(.highShelf, hertz: 100, gain: 3, width: .slope(0.5), isCorner: true),
                EqualiserFilter(.lowShelf, hertz: 100, gain: 3, width: .slope(1)),
            ])
    }

    @Test("LS and HS with a Q are LSC and HSC, and it is said in which line")
    func formerShelves() throws {
        let text = try read(
            "Filter 1: ON LS Fc 105 Hz Gain 5 dB Q 0.7\nFilter 2: ON HS Fc 10000 Hz Gain 2 dB Q 0.7\n")
        #expect(text.filters.allSatisfy { !$0.isCorner && $0.width == .quality(0.7) })
        #expect(text.remarks.count == 2 && text.remarks[0].hasPrefix("line 1: LS with a Q is taken as LSC"))
    }

    @Test("Channel lines say whose ears what follows is for")
    func channels() throws {
        let text = try read(
            """
            Preamp: -1 dB
            Channel: L
            Preamp: -2 dB
            Filter: ON PK Fc 100 Hz Gain 3 dB Q 1
            Channel: R
            Filter: ON PK Fc 200 Hz Gain 3 dB Q 1
            Channel: C LFE
            Filter: ON PK Fc 300 Hz Gain 3 dB Q 1
            Channel: all
            GraphicEQ: 100 1; 1000 -2
            Channel: L R
            Convolution: my "filter.wav"
            """)
        #expect(text.preamp == [-3, -1])
        #expect(text.filters.map(\.ears) == [.left, .right])
        #expect(text.graphics.map(\.ears) == [.both])
        let response = try #require(text.responses.first)
        #expect(response.path == "my filter.wav" && response.ears == .both && response.line == 12)
        let names = [("'a b.wav'", "a b.wav"), ("Jo's HD650.wav", "Jo's HD650.wav"), ("\"a b.wav\"", "a b.wav")]
        for (written, path) in names {
            #expect(try read("Convolution: \(written)").responses.map(\.path) == [path])
        }
        #expect(text.remarks.contains { $0.hasPrefix("line 7 names channel 'c'") })
    }

    @Test("Lines that are not known are told and left out")
    func unknownLines() throws {
        let text = try read("Device: Headphones\nhello\nFilter: ON PK Fc 100 Hz Gain 3 dB Q 1\nCopy: L=R\n")
        #expect(text.filters.count == 1)
        #expect(
            text.remarks == [
                "line 1 ('device:') is not known here and was left out",
                "line 2 is no line of an equaliser and was left out",
                "line 4 ('copy:') is not known here and was left out",
            ])
    }

    @Test("A curve's points come in any order and the last of several at one frequency counts")
    func graphic() throws {
        let text = try read("GraphicEQ: 1000 -2; 100 1; 1000 -4,5;\n")
        let curve = try #require(text.graphics.first?.curve)
        #expect(curve.hertz == [100, 1000] && curve.decibels == [1, -4.5])
        // The frequency is half way on a logarithmic axis.
        #expect(abs(curve.value(at: 100 * 10.squareRoot()) + 1.75) < 1e-12)
        #expect(curve.value(at: 5) == 1 && curve.value(at: 20_000) == -4.5)
    }

    @Test(
        "What cannot be read is refused with its line and what would be right",
        arguments: [
            ("Filter 1: ON PK Fc 1.5k Hz Gain 3 dB Q 1", "eq.txt, line 1: Fc is '1.5k', which is not a number"),
            ("\n\nFilter 3: ON PK Fc 1,000 Hz Gain 3 dB Q 1", "line 3: Fc '1,000' may be 1,000 Hz or thousands of it"),
            ("Filter 1: ON PK Gain 3 dB Q 1", "line 1: the filter has no Fc"),
            ("Filter 1: ON PK Fc 100 Hz Q 1", "line 1: the filter has no Gain"),
            ("Filter 1: ON PK Fc 100 Hz Gain 3 dB", "line 1: the filter has neither Q nor BW Oct"),
            ("Filter 1: ON PK Fc 100 Hz Gain 3 dB Q 0", "line 1: Q is 0.0; expected 0.01 to 1000"),
            ("Filter 1: ON PK Fc 100 Hz Gain 300 dB Q 1", "line 1: Gain is 300.0 dB; expected -60 to 60"),
            ("Filter 1: ON PK Fc 20.000 Hz Gain 3 dB Q 1", "line 1: Fc '20.000' may be 20.000 Hz or thousands of it"),
            ("Filter 1: ON PK Fc 10 000 Hz Gain 3 dB Q 1", "line 1: Fc '10 000' is two numbers"),
            ("Filter 1: ON PK Fc 1\u{A0}500 Hz Gain 3 dB Q 1", "line 1: Fc '1 500' is two numbers"),
            ("Filter 1: ON PK Fc 0 Hz Gain 3 dB Q 1", "line 1: Fc is 0 Hz; expected 1 to 1000000"),
            ("Filter 1: ON PK Fc nan Hz Gain 3 dB Q 1", "line 1: Fc is 'nan', which is not a number"),
            ("Filter 1: ON XY Fc 100 Hz", "line 1: there is no filter 'XY' here"),
            ("Filter 1: PK Fc 100 Hz Gain 3 dB Q 1", "line 1: a filter begins with ON or OFF"),
            ("Filter 1: ON LS 48dB Fc 100 Hz Gain 3 dB", "line 1: the slope is 48.0 dB; expected 1 to 12"),
            ("Preamp: loud", "line 1: Preamp is 'loud', which is not a number"),
            ("GraphicEQ: 20 1; 30", "line 1: a point is ' 30'; expected a frequency and a gain"),
            ("GraphicEQ: 20 1; 0 3", "line 1: a point is ' 0 3'"),
            ("GraphicEQ:", "line 1: GraphicEQ has no points"),
            ("Convolution:", "line 1: Convolution names no file"),
            ("frequency,raw,error\n20,1,2", "is a table of measurements"),
            ("Dear diary,\nnothing happened.", "has no line of an equaliser in it"),
            ("", "has no line of an equaliser in it"),
            ("Filter 1: ON\0PK", "is not a text of an equaliser"),
        ])
    func refusals(_ text: String, _ reason: String) {
        #expect(refusal(text).contains(reason), "\(refusal(text))")
    }

    @Test("More filters than could be played in time are refused")
    func tooMany() {
        let line = "Filter: ON PK Fc 100 Hz Gain 1 dB Q 1\n"
        let reason = refusal(String(repeating: line, count: EqualiserText.mostFilters + 1))
        #expect(reason.contains("more than 128 filters"))
    }
}
