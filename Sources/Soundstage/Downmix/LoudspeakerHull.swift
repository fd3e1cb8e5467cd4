import Geometry

/// Convex hull of loudspeaker directions. Sound is panned between the corners of its triangles.
///
/// Faces with more than three corners occur often; left, right, top left and top right lie in one plane. They are not
/// split along an arbitrary diagonal. Instead an imaginary loudspeaker in their middle shares its signal among the
/// corners, so a symmetrical layout pans symmetrically. This is the method of ITU-R BS.2127-1, 6.1.2 (virtual n-gons).
struct LoudspeakerHull {
    /// A triangle, given by the indices of its corners in `directions`.
    struct Triangle: Equatable { var a, b, c: Int }

    /// The given directions, then imaginary ones in the middle of faces with more than three corners.
    let directions: [SIMD3<Double>]
    let triangles: [Triangle]
    /// `[imaginary direction]`: indices of the corners of its face.
    let corners: [[Int]]
    /// Whether the listener (the origin) is inside the hull. Sound from any direction then lies within a triangle.
    let surroundsListener: Bool

    /// Computes the hull of unit vectors. There must be at least four, and they must not lie in one plane. `O(n⁴)`;
    /// takes less than a millisecond for 24.
    init(_ given: [SIMD3<Double>]) {
        var directions = given
        var triangles: [Triangle] = []
        var corners: [[Int]] = []
        let faces = Self.faces(given)
        surroundsListener = faces.allSatisfy { face in
            let (a, normal) = (
                given[face[0]], cross(given[face[1]] - given[face[0]], given[face[2]] - given[face[0]])
            )
            let height = dot(a, normal)
            // The listener is on the side of the other corners, and not in the face.
            return abs(height) > 1e-6 * dot(normal, normal).squareRoot()
                && given.allSatisfy { (height - dot($0, normal)) * height > -1e-9 }
        }
        for face in faces {
            if face.count == 3 {
                triangles.append(Triangle(a: face[0], b: face[1], c: face[2]))
                continue
            }
            let middle = face.reduce(SIMD3<Double>.zero) { $0 + given[$1] }
            let centre = directions.count
            directions.append(middle / dot(middle, middle).squareRoot())
            corners.append(face)
            for (i, corner) in face.enumerated() {
                triangles.append(Triangle(a: corner, b: face[(i + 1) % face.count], c: centre))
            }
        }
        self.directions = directions
        self.triangles = triangles
        self.corners = corners
    }

    /// Returns the faces. Each face is given by its corners in order around it.
    private static func faces(_ points: [SIMD3<Double>]) -> [[Int]] {
        let tolerance = 1e-9
        var found: Set<[Int]> = []
        var faces: [[Int]] = []
        for a in points.indices {
            for b in points.indices where b > a {
                for c in points.indices where c > b {
                    let normal = cross(points[b] - points[a], points[c] - points[a])
                    let length = dot(normal, normal).squareRoot()
                    guard length > tolerance else { continue }
                    let heights = points.map { dot($0 - points[a], normal) / length }
                    guard heights.allSatisfy({ $0 < tolerance }) || heights.allSatisfy({ $0 > -tolerance }) else {
                        continue
                    }
                    let flat = points.indices.filter { abs(heights[$0]) <= tolerance }
                    if found.insert(flat).inserted { faces.append(round(flat, points, normal / length)) }
                }
            }
        }
        return faces
    }

    /// Returns corners sorted by their angle around the face's middle.
    private static func round(_ flat: [Int], _ points: [SIMD3<Double>], _ normal: SIMD3<Double>) -> [Int] {
        let middle = flat.reduce(SIMD3<Double>.zero) { $0 + points[$1] } / Double(flat.count)
        let first = points[flat[0]] - middle
        let second = cross(normal, first)
        func angle(_ index: Int) -> Double {
            let from = points[index] - middle
            let (x, y) = (dot(from, first), dot(from, second))
            // The value increases with the angle over a full turn.
            let slope = y / (abs(x) + abs(y))
            return x < 0 ? 2 - slope : y < 0 ? 4 + slope : slope
        }
        return flat.sorted { angle($0) < angle($1) }
    }
}

/// Inner product.
func dot(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double { (a * b).sum() }

/// Cross product.
func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
}
