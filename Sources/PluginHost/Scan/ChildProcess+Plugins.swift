import Processes

extension ChildProcess {
    /// Starts a child process for plugins; see `init`.
    ///
    /// - Throws: `noChild`.
    static func forPlugins(
        _ program: String, _ words: [String], passing passed: Int32 = -1
    ) throws(PluginError) -> ChildProcess {
        do throws(ProcessError) { return try ChildProcess(program, words, passing: passed) } catch {
            throw .noChild(program: error.program, reason: error.reason)
        }
    }
}
