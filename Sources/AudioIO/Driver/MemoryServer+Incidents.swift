import Signal
import Synchronization

/// What can happen to a server, each by a call.
extension MemoryServer {
    /// The period changes.
    package func setPeriod(_ frames: Int) {
        graph.withLock { graph in
            graph.period = frames
            let limit = StageCycle.maximumFrames
            for stage in graph.stages {
                stage.tell(
                    frames > limit ? .periodTooLong(frames: frames, limit: limit) : .periodChanged(frames: frames))
            }
        }
    }

    /// The rate changes: stages opened before are silent from now on.
    package func setRate(_ hertz: Double) {
        graph.withLock { graph in
            graph.hertz = hertz
            for stage in graph.stages {
                stage.isSilenced = true
                stage.tell(.rateChanged(hertz: hertz))
            }
        }
    }

    /// Freewheel begins or ends.
    package func setFreewheel(_ begins: Bool) {
        graph.withLock { graph in
            graph.isFreewheeling = begins
            for stage in graph.stages {
                if stage.route.freewheel(begins) { stage.loseRoute() }
                stage.tell(.freewheel(begins))
                stage.tellChanges()
            }
        }
    }

    /// The server loses so many frames: its clock runs on without a cycle.
    package func loseFrames(_ frames: Int) {
        graph.withLock { graph in
            graph.advance(frames)
            for stage in graph.stages {
                stage.xruns += 1
                stage.skippedFrames += frames
                stage.followsGap = true
                let delay = Double(frames) / graph.hertz * 1e6
                stage.tell(.xrun(total: stage.xruns, delayMicroseconds: delay))
            }
        }
    }

    /// What is refused from now on; nil for each: nothing.
    package func refuse(_ refusals: Refusals) { graph.withLock { $0.refusals = refusals } }

    /// No cycle runs any more, and requests are answered by their time limit; false: all goes on.
    package func hang(_ hangs: Bool = true) {
        graph.withLock { graph in
            graph.health = hangs ? .hung : .running
            if hangs { for stage in graph.stages { stage.fail(.startTimedOut) } }
        }
    }

    /// The server goes, and says why.
    package func shutDown(reason: String = "it shut down") {
        graph.withLock { graph in
            graph.health = .gone
            for stage in graph.stages {
                stage.fail(.serverGone)
                stage.tell(.serverLost(reason: reason))
            }
        }
    }

    /// A server that went is there again, at this rate and with this period: its sound card, and no other client.
    package func comeBack(sampleRate: SampleRate = .studio, period: Int = 256) {
        graph.withLock { graph in
            for client in graph.clients where client != "system" { graph.remove(client) }
            graph.arrived = graph.arrived.filter { $0.key.hasPrefix("system:") }
            (graph.links, graph.programmes) = ([], [:])
            (graph.hertz, graph.period, graph.frame) = (sampleRate.hertz, period, 0)
            graph.health = .running
        }
    }

    /// Tells a stage what no call here brings about, as the faults of a disk.
    package func tell(_ event: JACKEvent, to client: String) {
        graph.withLock { graph in
            for stage in graph.stages where stage.name == client { stage.tell(event) }
        }
    }
}
