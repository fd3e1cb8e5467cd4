import CRealtime

/// Forecast of the head's orientation. It consists of a pose, an angular rate, the expected change of this rate, the
/// shares of yaw, pitch and roll that the sound stage follows, and a correction that fades out. It can be evaluated for
/// any time, also on the audio thread.
///
/// Times are seconds of the host's monotonic clock. Poses map head coordinates to stage coordinates.
package struct PoseForecast: Sendable, BitwiseCopyable {
    /// Pose at `time`, head to stage.
    package var pose: Rotation<Head, Stage>
    /// Angular rate of the head relative to the stage, rad/s, in head axes.
    package var rate: SIMD3<Double>
    /// Time of `pose` and `rate`, seconds.
    package var time: Double
    /// Expected departure of the turn from a constant rate.
    package var departure = Departure.none
    /// Seconds from `time` on for which `rate` and `departure` apply. After them the rate decays.
    package var steady: Double = 0
    /// Time constant, seconds, with which the rate decays after `time` + `steady`; ∞ for a constant rate without
    /// departure.
    package var decay: Double
    /// Seconds before and after `time` beyond which the pose is held.
    package var horizon: Double
    /// Shares of the head's yaw, pitch and roll that the stage follows, each 0…1; see `Quaternion.following`.
    package var follow = SIMD3<Double>(1, 1, 1)
    /// Correction of the pose, a rotation vector in stage axes, radians. It is applied in full until `correctionTime`,
    /// and then fades to zero within `correctionDuration`.
    package var correction: SIMD3<Double>
    /// Time at which the correction begins to fade, seconds.
    package var correctionTime: Double
    /// Seconds within which the correction fades to zero; its share is 1 − 3u² + 2u³ at the fraction u of these
    /// seconds. At 0 seconds no correction is applied.
    package var correctionDuration: Double

    /// Makes a forecast without a correction; see the properties.
    @inlinable @inline(__always)
    package init(
        pose: Rotation<Head, Stage>, rate: SIMD3<Double> = SIMD3(0, 0, 0), time: Double = 0, decay: Double = .infinity,
        horizon: Double = 0
    ) {
        self.pose = pose
        self.rate = rate
        self.time = time
        self.decay = decay
        self.horizon = horizon
        correction = SIMD3(0, 0, 0)
        correctionTime = 0
        correctionDuration = 0
    }

    /// Returns the forecast for a head at rest.
    @inlinable @inline(__always)
    package static func still(_ pose: Rotation<Head, Stage>) -> PoseForecast { PoseForecast(pose: pose) }

    /// Returns the pose, head to stage, at the time `moment`. Takes about 100 ns. For times before `time` the rate is
    /// applied backwards, as far as the horizon.
    @_noLocks
    package func headToStage(at moment: Double) -> Quaternion {
        var result =
            pose.quaternion * Quaternion(rotationVector: turn(after: max(-horizon, min(horizon, moment - time))))
        if follow != SIMD3(1, 1, 1) { result = result.normalized.following(follow) }
        if correctionDuration > 0 {
            let left = correctionLeft(at: moment)
            if left > 0 { result = Quaternion(rotationVector: correction * left) * result }
        }
        return result.normalized
    }

    /// Returns the turn from `time` to `ahead` seconds later, a rotation vector in head axes, radians.
    @_noLocks
    private func turn(after ahead: Double) -> SIMD3<Double> {
        guard decay.isFinite else { return rate * ahead }
        // The departure applies for `steady` seconds from `time` on. Before `time`, only its constant term applies.
        let within = min(ahead, steady)
        let bent = max(0, within)
        let turn = (rate + departure.rate + (departure.slope + departure.curvature * bent) * bent) * within
        guard ahead > steady else { return turn }
        // Integral of the decaying rate: exp(−t/`decay`) from t = 0 to `ahead` − `steady`.
        return turn + (rate + departure.last) * (decay * (1 - prc_exp(-(ahead - steady) / decay)))
    }

    /// Returns the share of the correction that is left at a time, 1…0.
    @_noLocks
    package func correctionLeft(at moment: Double) -> Double {
        guard correctionDuration > 0 else { return 0 }
        let u = max(0, min(1, (moment - correctionTime) / correctionDuration))
        return 1 - u * u * (3 - 2 * u)
    }
}
