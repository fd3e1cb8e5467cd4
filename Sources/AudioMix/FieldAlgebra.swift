import Signal

/// Complex number.
struct Complex: BitwiseCopyable {
    var re: Float, im: Float

    @_noLocks
    init(re: Float, im: Float) { (self.re, self.im) = (re, im) }

    /// Power |z|².
    var power: Float { @_noLocks get { re * re + im * im } }

    @_noLocks
    static func * (a: Complex, b: Complex) -> Complex {
        Complex(re: a.re * b.re - a.im * b.im, im: a.re * b.im + a.im * b.re)
    }
    @_noLocks
    static func - (a: Complex, b: Complex) -> Complex { Complex(re: a.re - b.re, im: a.im - b.im) }
    @_noLocks
    static func + (a: Complex, b: Complex) -> Complex { Complex(re: a.re + b.re, im: a.im + b.im) }
    @_noLocks
    static func * (a: Complex, b: Float) -> Complex { Complex(re: a.re * b, im: a.im * b) }
    /// Complex conjugate.
    var conjugate: Complex { @_noLocks get { Complex(re: re, im: -im) } }
}

/// Complex values of the four first-order channels W, Y, Z, X in one bin.
struct Quad: BitwiseCopyable {
    var re: SIMD4<Float>, im: SIMD4<Float>

    @_noLocks
    init(re: SIMD4<Float>, im: SIMD4<Float>) { (self.re, self.im) = (re, im) }

    /// Zero vector.
    static var zero: Quad { @_noLocks get { Quad(re: .zero, im: .zero) } }

    /// Pseudo-intensity of one bin (components x, y, z) and its energy (component w): Re(p*·v) and ½(|p|² + |v|²) with
    /// the pressure p and the velocity v. The channels must be W, Y, Z, X in N3D: the last three are √3 times SN3D.
    var intensity: SIMD4<Float> {
        @_noLocks @inline(__always) get {
            let w = self[0], v = Quad(re: re * 0.577_350_3, im: im * 0.577_350_3)
            let product = v.re * w.re + v.im * w.im
            let moved = (v.re * v.re + v.im * v.im).sum() - w.power / 3
            return SIMD4(product[3], product[1], product[2], 0.5 * (w.power + moved))
        }
    }

    /// Value of one channel.
    @_noLocks
    @inline(__always)
    subscript(channel: Int) -> Complex { Complex(re: re[channel], im: im[channel]) }

    /// Returns the inner product aᴴb.
    @_noLocks
    @inline(__always)
    static func dot(_ a: Quad, _ b: Quad) -> Complex {
        Complex(re: (a.re * b.re + a.im * b.im).sum(), im: (a.re * b.im - a.im * b.re).sum())
    }

    /// Adds the product a·z.
    @_noLocks
    @inline(__always)
    mutating func add(_ a: Quad, times z: Complex) {
        re += a.re * z.re - a.im * z.im
        im += a.re * z.im + a.im * z.re
    }

    /// Power ‖a‖².
    var power: Float { @_noLocks get { (re * re + im * im).sum() } }
}

/// Hermitian matrix over the four channels, stored by columns.
struct QuadMatrix: BitwiseCopyable {
    var c0: Quad, c1: Quad, c2: Quad, c3: Quad

    @_noLocks
    init(c0: Quad, c1: Quad, c2: Quad, c3: Quad) { (self.c0, self.c1, self.c2, self.c3) = (c0, c1, c2, c3) }

    /// Zero matrix.
    static var zero: QuadMatrix { @_noLocks get { QuadMatrix(c0: .zero, c1: .zero, c2: .zero, c3: .zero) } }
    /// Returns the unit matrix times `value`.
    @_noLocks
    static func diagonal(_ value: Float) -> QuadMatrix {
        var result = zero
        result.addDiagonal(value)
        return result
    }

    @_noLocks
    @inline(__always)
    mutating func addDiagonal(_ value: Float) {
        c0.re[0] += value
        c1.re[1] += value
        c2.re[2] += value
        c3.re[3] += value
    }

    /// Sum of the diagonal.
    var trace: Float { @_noLocks get { c0.re[0] + c1.re[1] + c2.re[2] + c3.re[3] } }

    @_noLocks
    @inline(__always)
    mutating func scale(_ gain: Float) {
        c0.re *= gain
        c0.im *= gain
        c1.re *= gain
        c1.im *= gain
        c2.re *= gain
        c2.im *= gain
        c3.re *= gain
        c3.im *= gain
    }

    /// Replaces self by self·keep + weight·x·xᴴ.
    @_noLocks
    @inline(__always)
    mutating func remember(_ x: Quad, keep: Float, weight: Float) {
        scale(keep)
        let scaled = Quad(re: x.re * weight, im: x.im * weight)
        c0.add(scaled, times: x[0].conjugate)
        c1.add(scaled, times: x[1].conjugate)
        c2.add(scaled, times: x[2].conjugate)
        c3.add(scaled, times: x[3].conjugate)
    }

    /// Returns the product with a vector.
    @_noLocks
    @inline(__always)
    static func * (m: QuadMatrix, v: Quad) -> Quad {
        var result = Quad.zero
        result.add(m.c0, times: v[0])
        result.add(m.c1, times: v[1])
        result.add(m.c2, times: v[2])
        result.add(m.c3, times: v[3])
        return result
    }

    /// Returns the inverse of a positive definite matrix, computed from two-by-two blocks by the Schur complement.
    @_noLocks
    func inverse() -> QuadMatrix {
        // This matrix is [a b; bᴴ d], with Hermitian blocks a and d.
        let a = Block(c0[0], c1[0], c0[1], c1[1]), b = Block(c2[0], c3[0], c2[1], c3[1])
        let d = Block(c2[2], c3[2], c2[3], c3[3])
        let ai = a.inverse
        let ab = ai * b
        let s = (d - b.adjoint * ab).inverse
        let upper = ab * s
        let corner = ai + upper * ab.adjoint
        let lower = upper.adjoint
        return QuadMatrix(
            c0: Self.column(corner.x, corner.z, lower.x * -1, lower.z * -1),
            c1: Self.column(corner.y, corner.w, lower.y * -1, lower.w * -1),
            c2: Self.column(upper.x * -1, upper.z * -1, s.x, s.z), c3: Self.column(upper.y * -1, upper.w * -1, s.y, s.w)
        )
    }

    @_noLocks
    private static func column(_ a: Complex, _ b: Complex, _ c: Complex, _ d: Complex) -> Quad {
        Quad(re: SIMD4(a.re, b.re, c.re, d.re), im: SIMD4(a.im, b.im, c.im, d.im))
    }
}

/// Complex two-by-two matrix; the first row is x, y, and the second row is z, w.
private struct Block: BitwiseCopyable {
    var x: Complex, y: Complex, z: Complex, w: Complex

    @_noLocks
    init(_ x: Complex, _ y: Complex, _ z: Complex, _ w: Complex) { (self.x, self.y, self.z, self.w) = (x, y, z, w) }

    @_noLocks
    static func * (a: Block, b: Block) -> Block {
        Block(a.x * b.x + a.y * b.z, a.x * b.y + a.y * b.w, a.z * b.x + a.w * b.z, a.z * b.y + a.w * b.w)
    }
    @_noLocks
    static func + (a: Block, b: Block) -> Block { Block(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w) }
    @_noLocks
    static func - (a: Block, b: Block) -> Block { Block(a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w) }
    var adjoint: Block { @_noLocks get { Block(x.conjugate, z.conjugate, y.conjugate, w.conjugate) } }
    /// Inverse of a Hermitian block. The determinant of such a block is real.
    var inverse: Block {
        @_noLocks get {
            let scale = 1 / max(x.re * w.re - y.power, 1e-30)
            return Block(
                Complex(re: w.re * scale, im: 0), y * -scale, z * -scale, Complex(re: x.re * scale, im: 0))
        }
    }
}

/// Array with an allocation of its own, which never moves. The audio thread accesses it through `base`. The array frees
/// its allocation.
struct Row<Value: BitwiseCopyable>: ~Copyable {
    /// First element.
    let base: UnsafeMutablePointer<Value>
    /// Number of elements. An empty array has memory for one element.
    let count: Int

    /// Allocates `count` copies of a value.
    init(_ count: Int, _ value: Value) {
        self.count = count
        base = AlignedMemory.allocate(Value.self, count: max(1, count))
        base.initialize(repeating: value, count: max(1, count))
    }

    deinit { base.deallocate() }
}

extension Row where Value == SIMD4<Float> {
    /// Returns the mean over five bins around `bin` with binomial weights. The bins at both ends are repeated.
    @_noLocks
    @inline(__always)
    func smoothed(_ bin: Int, _ bins: Int) -> SIMD4<Float> {
        let (a, b) = (max(0, bin - 2), max(0, bin - 1)), (c, d) = (min(bins - 1, bin + 1), min(bins - 1, bin + 2))
        return 0.0625 * (base[a] + base[d]) + 0.25 * (base[b] + base[c]) + 0.375 * base[bin]
    }
}
