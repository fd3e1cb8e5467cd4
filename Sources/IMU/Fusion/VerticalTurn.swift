import CRealtime
import Geometry

/// A rotation about the vertical by an angle that changes slowly. The sine and cosine are computed again only after the
/// angle has changed by a quarter radian; until then power series of the remainder are used, which are as exact.
struct VerticalTurn: Sendable {
    private var angle = 0.0
    /// Cosine and sine of half of `angle`.
    private var (cosine, sine) = (1.0, 0.0)

    /// Returns the orientation `q`, rotated by an angle in radians.
    mutating func turning(_ q: Quaternion, by angle: Double) -> Quaternion {
        if abs(angle - self.angle) > 2 * SmallAngle.limit {
            (self.angle, cosine, sine) = (angle, prc_cos(angle / 2), prc_sin(angle / 2))
        }
        let rest = (angle - self.angle) / 2
        let (near, aside) = (SmallAngle.cosine(rest * rest), rest * SmallAngle.sinc(rest * rest))
        let (c, s) = (cosine * near - sine * aside, sine * near + cosine * aside)
        return Quaternion(w: c * q.w - s * q.z, x: c * q.x - s * q.y, y: c * q.y + s * q.x, z: c * q.z + s * q.w)
    }
}
