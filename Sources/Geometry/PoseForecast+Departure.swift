extension PoseForecast {
    /// Expected departure of a turn from a constant rate ω, `PoseForecast.rate`, in head axes. For h up to `steady`,
    /// the mean rate over the next h seconds is ω + `rate` + `slope`·h + `curvature`·h². After `steady` seconds the
    /// rate is ω + `last`, and decays with the forecast's time constant `decay`.
    package struct Departure: Sendable, BitwiseCopyable {
        /// Constant term, rad/s.
        package var rate: SIMD3<Double>
        /// Linear term, rad/s².
        package var slope: SIMD3<Double>
        /// Quadratic term, rad/s³.
        package var curvature: SIMD3<Double>
        /// Departure of the rate after `steady` seconds, rad/s.
        package var last: SIMD3<Double>

        /// Makes a departure; see the properties.
        @inlinable @inline(__always)
        package init(rate: SIMD3<Double>, slope: SIMD3<Double>, curvature: SIMD3<Double>, last: SIMD3<Double>) {
            self.rate = rate
            self.slope = slope
            self.curvature = curvature
            self.last = last
        }

        /// The departure of a constant rate, which is 0.
        package static var none: Departure {
            @inlinable @inline(__always) get {
                let zero = SIMD3<Double>(0, 0, 0)
                return Departure(rate: zero, slope: zero, curvature: zero, last: zero)
            }
        }
    }
}
