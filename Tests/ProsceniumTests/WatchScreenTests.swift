import Desk
import Foundation
import Session
import Testing

@testable import proscenium

/// The terminal's picture of a session.
@Suite struct WatchScreenTests {
    private func status(channels: Int = 6, yaw: Double = 0) throws -> SessionStatus {
        let peaks = (0..<channels).map { "\(-3 * $0)" }.joined(separator: ",")
        let json = """
            {"phase":"running","client":"proscenium","clipped":false,"freewheeling":false,"gainReduction":0,"heardAt":0,"hrtf":"MIT KEMAR, normal pinna",
            "inputPeaks":[\(peaks)],"jackFrame":1,"lagSteps":{"count":0,"emptyFrames":0,"skippedFrames":0},"latencyFrames":0,"layout":"5.1","load":0.25,"mode":"held","monitor":{"hearsReference":
            false,"inverted":[],"isAway":false,"isDimmed":false,"isMono":false,"isMuted":true,"isTalking":false,"level":-6,"silent":["FL"]},
            "nonFiniteSamples":0,"outputPeaks":[-12.5,-200],"period":256,"pitch":4,"playback":{"interruptions":[],"left":["system:playback_1"],
            "lost":[],"onRouteLoss":"patch","right":["system:playback_2"],"state":"playing"},"plugins":[],"programmes":[],"recorderLost":0,
            "recordings":[],"roll":-2,"sampleRate":48000,"scene":"a","scenes":["a"],"skippedFrames":0,"slice":64,"streamFrame":0,"xruns":2,
            "yaw":\(yaw),"yawDeviation":0}
            """
        return try SessionStatus(json: json)
    }

    private func screen(
        _ columns: Int, _ rows: Int, channels: Int = 6, yaw: Double = 0, style: TerminalStyle = TerminalStyle()
    ) throws -> WatchScreen {
        WatchScreen(
            status: try status(channels: channels, yaw: yaw), picture: nil, remark: nil, style: style, columns: columns,
            rows: rows)
    }

    private static let sizes = [(80, 24), (200, 60), (40, 10), (1, 1), (120, 30)]

    @Test(arguments: sizes) func itHasRoomInTheTerminal(_ columns: Int, _ rows: Int) throws {
        for channels in [0, 2, 12, 64] {
            let lines = try screen(columns, rows, channels: channels).lines
            #expect(lines.count <= rows)
            for line in lines { #expect(line.width <= columns) }
        }
    }

    @Test func allThatMattersIsInEightyColumns() throws {
        let text = try screen(80, 24).lines.map { $0.text(TerminalStyle(isColoured: false)) }.joined(separator: "\n")
        for word in [
            "proscenium", "MIT KEMAR", "48 kHz, 256", "load 25.0 %", "xruns 2", "MUTED", "held", "left ear", "-12.5",
            "-inf",
            "channel 6", "plays to system:playback_1", "space recentre",
        ] { #expect(text.contains(word), "\(word)") }
    }

    @Test(arguments: [40, 80, 200]) func `DIM is shown in a narrow terminal too`(_ columns: Int) throws {
        var status = try status()
        (status.monitor.isMuted, status.monitor.isDimmed, status.monitor.isTalking) = (false, true, true)
        (status.monitor.level, status.loadMaximum) = (-21, 0.5)
        let watch = WatchScreen(
            status: status, picture: nil, remark: nil, style: TerminalStyle(), columns: columns, rows: 24)
        let rows = watch.lines.map { $0.text(TerminalStyle(isColoured: false)) }
        let row = try #require(rows.first { $0.hasPrefix("load 25.0 %") })
        #expect(row.contains("-21.0 dB, DIM, TALKB"), "\(row)")
    }

    @Test func theArrowPointsWhereTheHeadLooks() throws {
        // The left of the picture is the left of the stage: the front is above the middle, and +90° is left of the
        // middle.
        func place(_ yaw: Double) throws -> (row: Int, column: Int)? {
            let lines = try screen(80, 24, yaw: yaw).lines.map { Array($0.text(TerminalStyle(isColoured: false))) }
            for (row, line) in lines.enumerated() {
                if let column = line.prefix(26).firstIndex(where: { "↑←↓→".contains($0) }) { return (row, column) }
            }
            return nil
        }
        let front = try #require(try place(0)), left = try #require(try place(90)), back = try #require(try place(180))
        let right = try #require(try place(-90))
        #expect(front.row < left.row && left.row < back.row && left.row == right.row)
        #expect(left.column < front.column && front.column < right.column && front.column == back.column)
    }

    @Test(arguments: [1e300, -1e300, 1e19, -9e18, 720]) func `A heading that is none is shown all the same`(yaw: Double)
        throws
    {
        #expect(try screen(80, 24, yaw: yaw).lines.count <= 24)
        #expect(StatusText.time(yaw).hasPrefix(yaw > 1000 ? "999999:" : yaw > 0 ? "12:" : "0:"))
        #expect(!PreviewTerminal.time(yaw).isEmpty && StatusLine.meters([yaw, 0, -70]).count == 3)
    }

    @Test func whatIsNotASCIIIsLeftOutWhereTheTerminalHasNone() throws {
        let style = TerminalStyle(isUnicode: false, isColoured: false)
        for line in try screen(80, 24, style: style).lines.map({ $0.text(style) }) {
            #expect(line.utf8.count == line.count, "\(line)")
        }
    }

    @Test func coloursAreLeftOutWhereNobodyWantsThem() throws {
        let style = TerminalStyle(["TERM": "xterm", "NO_COLOR": "1", "LANG": "C.UTF-8"])
        #expect(style == TerminalStyle(isUnicode: true, isColoured: false))
        #expect(
            TerminalStyle(["TERM": "dumb", "LC_ALL": "C", "LANG": "de_DE.UTF-8"])
                == TerminalStyle(isUnicode: false, isColoured: false))
        #expect(TerminalStyle(["TERM": "xterm", "LANG": "de_DE.utf8"]) == TerminalStyle())
        for line in try screen(80, 24, style: style).lines { #expect(!line.text(style).contains("\u{1B}")) }
    }

    @Test func channelsThatHaveNoRoomAreCounted() throws {
        let plain = TerminalStyle(isColoured: false)
        let small = try screen(80, 24, channels: 64).lines.map { $0.text(plain) }.joined()
        #expect(small.contains("more channels"))
        let large = try screen(200, 60, channels: 64).lines.map { $0.text(plain) }.joined()
        #expect(!large.contains("more channels"))
    }
}
