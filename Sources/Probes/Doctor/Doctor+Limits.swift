/// Findings on real-time priority and on locked memory.
extension Doctor {
    static let earsSubject = "playback", realTimeSubject = "real-time", memorySubject = "memory-lock",
        portSubject = "port "
    /// Subjects of warnings about sound. Their steps precede those of other warnings.
    static let soundSubjects: Set<String> = [earsSubject, realTimeSubject, memorySubject]
    /// Least memory that must be lockable, bytes.
    private static let leastLockable: UInt64 = 256 << 20

    static func limits(_ facts: MachineFacts) -> [Finding] {
        let step = cure(facts)
        let priority =
            facts.isRealTimePermitted
            ? Finding(realTimeSubject, "real-time priority is permitted")
            : Finding(realTimeSubject, .warning, "real-time priority is not permitted; dropouts under load", cure: step)
        guard let bytes = facts.lockableBytes, bytes < leastLockable, !facts.isRoot else {
            return [priority, Finding(memorySubject, "memory may be locked")]
        }
        return [
            priority, Finding(memorySubject, .warning, "only \(bytes >> 10) KiB may be locked", cure: step),
        ]
    }

    private static func cure(_ facts: MachineFacts) -> NextStep {
        if facts.isRoot {
            return NextStep(
                "Real-time priority is refused even to root, as in a container without SYS_NICE. This shows the kernel's answer.",
                "chrt -f 10 true")
        }
        let isMember = facts.groups.contains("audio")
        switch (facts.hasAudioLimits, isMember) {
        case (true, true):
            return NextStep(
                "You are in the group 'audio', which has the limits, but you logged in before you joined it. This starts a new login; or log in again.",
                "su - $USER")
        case (true, false):
            return NextStep(
                "The group 'audio' has the limits, and you are not in it. Log in again afterwards.",
                "sudo usermod -aG audio $USER")
        case (false, _):
            let join = isMember ? "" : " && sudo usermod -aG audio $USER"
            return NextStep(
                "Real-time priority and locked memory need limits for your group. Log in again afterwards.",
                #"printf '@audio - rtprio 95\n@audio - memlock unlimited\n' | sudo tee /etc/security/limits.d/95-audio.conf"#
                    + join)
        }
    }
}
