import Foundation

/// One stage (the loudspeakers or sources that are rendered) under one setting, and the rendering times of its periods.
package struct CapacityCell: Codable, Sendable, Hashable {
    /// A JACK period, and the engine's slice, after which filters are updated; both in frames.
    package struct Setting: Codable, Sendable, Hashable {
        /// Frames per period, frames per slice.
        package let period: Int, slice: Int

        /// Makes a setting; both arguments in frames, 1 or more.
        package init(_ period: Int, _ slice: Int) {
            self.period = period
            self.slice = slice
        }

        /// The usual periods, each with the finest slice; some also with a slice of 128 or 256 frames.
        package static let usual = [
            Setting(64, 64), Setting(128, 64), Setting(256, 64), Setting(1024, 64), Setting(128, 128),
            Setting(256, 256), Setting(1024, 256),
        ]

        /// A short and a comfortable period, for stages that take long to prepare.
        package static let few = [Setting(64, 64), Setting(256, 64)]
    }

    /// A room, described by what determines its cost.
    package struct Room: Codable, Sendable, Hashable {
        /// Duration of the response, seconds.
        package let seconds: Double
        /// Whether all sources share the late part (tail) of one response.
        package let isTailShared: Bool

        /// Makes a room with a response of `seconds`.
        package init(_ seconds: Double, isTailShared: Bool = false) {
            self.seconds = seconds
            self.isTailShared = isTailShared
        }

        /// Rooms that are measured, the cheapest first.
        package static let usual = [Room(0.5), Room(3, isTailShared: true), Room(1), Room(3)]

        /// Description, such as `3 s, tail shared`.
        package var words: String { String(format: "%g s", seconds) + (isTailShared ? ", tail shared" : "") }
    }

    /// Name of the stage: a layout, or a number of sources.
    package let stage: String
    /// The room; nil without one.
    package let room: Room?
    /// Number of loudspeakers or objects; 0 for a sound field.
    package let sources: Int
    /// Period and slice.
    package let setting: Setting
    /// Rendering times as shares of the period.
    package let times: PeriodTimes

    /// Verdict on `times`.
    package let verdict: CapacityVerdict

    init(stage: String, room: Room? = nil, sources: Int, setting: Setting, times: PeriodTimes) {
        self.stage = stage
        self.room = room
        self.sources = sources
        self.setting = setting
        self.times = times
        verdict = CapacityVerdict(p999: times.p999)
    }
}
