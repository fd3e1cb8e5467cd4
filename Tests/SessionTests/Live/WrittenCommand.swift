import Desk
import Stages

extension SessionCommand {
    /// A parameter's change as it is written on the command line, of an input or (nil) of all.
    static func set(_ name: String, _ written: String, of input: String? = nil) throws -> SessionCommand {
        .set(try ParameterChange(name, [written], input: input))
    }
}
