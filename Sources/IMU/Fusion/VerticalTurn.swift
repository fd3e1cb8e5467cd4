import CRealtime
import Geometry

/// A turn about the vertical by an angle that changes slowly: its sine and cosine are computed again only where it has
/// moved by a quarter radian; before, series of the rest are as exact.
struct VerticalTurn: Sendable {
    private var angle = 0.0
    /// Cosine and sine of half that angle.
    private var (cosine, sine) = (1.0, 0.0)

    /// Returns an orientation, turned by an angle, radians.
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
