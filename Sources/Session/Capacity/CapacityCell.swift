/// One stage under one setting, and how long its periods took.
package struct CapacityCell: Codable, Sendable, Hashable {
    /// A JACK period and the engine's slice, both in frames.
    package struct Setting: Codable, Sendable, Hashable {
        /// Frames per period, frames per slice.
        package let period: Int, slice: Int

        init(_ period: Int, _ slice: Int) {
            self.period = period
            self.slice = slice
        }

        /// The usual periods, each with the finest slice; those that hold a coarser one with that, too.
        static let usual = [
            Setting(64, 64), Setting(128, 64), Setting(256, 64), Setting(1024, 64), Setting(128, 128),
            Setting(256, 256), Setting(1024, 256),
        ]
    }

    /// The stage's name: a layout, or a number of sources.
    package let stage: String
    /// Its loudspeakers or objects; 0 for a sound field.
    package let sources: Int
    /// Period and slice.
    package let setting: Setting
    /// Shares of the period that its periods took.
    package let times: PeriodTimes

    /// Whether it keeps up.
    package var verdict: CapacityVerdict { times.verdict }
}
