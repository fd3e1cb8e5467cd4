import Foundation
import Geometry
import Signal
import Testing

@testable import HRTF

/// Returns the sub-sample position of the onset: where the magnitude first reaches a quarter of its peak.
private func arrival(_ response: [Float]) -> Double {
    let level = (response.map { abs($0) }.max() ?? 0) * 0.25
    let i = response.firstIndex { abs($0) >= level } ?? 0
    guard i > 0 else { return 0 }
    let (a, b) = (abs(response[i - 1]), abs(response[i]))
    return Double(i - 1) + Double((level - a) / (b - a))
}

@Suite struct FilterFieldTests {
    @Test func theImpulseFieldChangesNothing() {
        let field = FilterField.impulse(sampleRate: .studio)
        for azimuth in [0.0, 91, 233] {
            let (left, right) = field.responses(Direction(azimuthDegrees: azimuth, elevationDegrees: 12))
            #expect(left[0] == 1 && right[0] == 1 && left.dropFirst().allSatisfy { $0 == 0 })
            #expect(right.dropFirst().allSatisfy { $0 == 0 } && left.count == field.tapCount)
        }
        #expect(field.onsetFrames == 0)
    }

    @Test func theSphereHasWoodworthsInterauralDelay() {
        let field = FilterField.sphere(sampleRate: .studio, earAzimuthDegrees: 90)
        for azimuth in [0.0, 20, 45, 70, 90] {
            let (left, right) = field.responses(Direction(azimuthDegrees: azimuth, elevationDegrees: 0))
            let a = azimuth * .pi / 180
            let expected = (a + sin(a)) * RigidSphere.averageRadius / 343 * 1e6
            let measured = (arrival(right) - arrival(left)) / 48_000 * 1e6
            // The response of the shaded ear lacks treble, so it reaches a quarter of its peak a little after the
            // wavefront.
            #expect(abs(measured - expected) < 40, "azimuth \(azimuth): \(measured) µs, expected \(expected) µs")
        }
    }

    @Test func directionsThatAreNotNumbersAreTheFront() {
        let field = FilterField.sphere(sampleRate: .studio)
        let front = field.responses(Direction(unit: [1, 0, 0]))
        for bad in [SIMD3(Double.nan, 0, 0), SIMD3(0, 0, 0), SIMD3(.infinity, 0, 0)] {
            #expect(field.responses(Direction(unit: bad)) == front)
        }
    }

    @Test(arguments: [
        (0.0, 89.99), (0, 88.0), (0, -88.001), (359.995, 3), (0.02, 0), (123.45, 10), (179.995, -40), (90, 89.995),
    ])
    func smallMovesMakeSmallChanges(_ azimuth: Double, _ elevation: Double) {
        let field = FilterField.sphere(sampleRate: .studio)
        var last: (left: [Float], right: [Float])?
        for step in 0..<40 {
            let direction = Direction<Head>(
                azimuthDegrees: azimuth + 0.01 * Double(step), elevationDegrees: elevation + 0.007 * Double(step % 3))
            let now = field.responses(direction)
            if let last {
                let change = zip(now.left + now.right, last.left + last.right).map { abs($0 - $1) }.max() ?? 1
                // 0.01° moves an onset by 0.002 samples; a unit impulse changes by at most π/2 times that.
                #expect(change < 0.01)
            }
            last = now
        }
    }
}
