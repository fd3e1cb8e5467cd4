import CKernels

/// Instruction set of the kernels. It is chosen when the program starts.
package enum InstructionSet {
    /// `avx512`, `avx2`, `sse2` or `portable`.
    package static var inUse: String { String(cString: prk_instruction_set()) }
}
