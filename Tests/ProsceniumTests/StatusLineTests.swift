import Testing

@testable import proscenium

@Suite struct StatusLineTests {
    private var line: StatusLine {
        var line = StatusLine()
        line.add("yaw +12.0°", weight: 3)
        line.add(nil, weight: 9)
        line.add("load 12 %", weight: 1)
        line.add("MUTED", weight: 2)
        return line
    }

    @Test(arguments: [
        (80, "yaw +12.0° | load 12 % | MUTED"), (30, "yaw +12.0° | load 12 % | MUTED"), (29, "yaw +12.0° | MUTED"),
        (17, "yaw +12.0°"), (5, "yaw +"), (0, ""),
    ])
    func theLeastImportantGoesFirst(columns: Int, text: String) {
        #expect(line.text(columns: columns) == text)
    }

    @Test func metersShowSilenceLevelAndMore() {
        #expect(StatusLine.meters([-200, -60, -59, -30, -0.1, 0, 0.1, -.infinity]) == "··▁▅██!·")
    }
}
