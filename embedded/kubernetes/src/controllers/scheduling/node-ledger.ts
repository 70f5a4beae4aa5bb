import type { StoreEvent } from '../../object-store.ts'
import type { Pod } from '../engine/pod-kinds.ts'
import { keyOf } from '../engine/reconcile-loop.ts'
import { isFinished } from '../workloads/pod-facts.ts'
import { hostPortsOf, type Load, requestsOf } from './node-fit.ts'

const EMPTY: Load = { used: new Map(), pods: 0, ports: new Map() }

/** Load of each node by its pods, updated as pods come and go. */
export class NodeLedger {
  private readonly loads = new Map<string, Load>()
  private readonly placed = new Map<string, string>()
  /** Pods that want certain others kept off their node. */
  readonly guarded = new Set<string>()

  loadOf(node: string): Load {
    return this.loads.get(node) ?? EMPTY
  }

  /** Returns whether room became free. */
  follow(event: StoreEvent): boolean {
    const pod = event.object as Pod
    const { uid } = pod.metadata
    const gone = event.type === 'DELETED' || isFinished(pod)
    const node = pod.spec.nodeName
    const before = this.placed.get(uid)
    if (before && gone) {
      this.book(before, pod, -1)
      this.placed.delete(uid)
      this.guarded.delete(keyOf(pod))
      return true
    }
    if (!before && node && !gone) {
      this.book(node, pod, 1)
      this.placed.set(uid, node)
      if (pod.spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.length) {
        this.guarded.add(keyOf(pod))
      }
    }
    return false
  }

  private book(node: string, { spec }: Pod, sign: 1 | -1) {
    const load = this.loads.get(node) ?? { used: new Map(), pods: 0, ports: new Map() }
    this.loads.set(node, load)
    load.pods += sign
    for (const [name, amount] of requestsOf(spec)) load.used.set(name, (load.used.get(name) ?? 0) + sign * amount)
    for (const port of hostPortsOf(spec)) {
      const count = (load.ports.get(port) ?? 0) + sign
      if (count > 0) load.ports.set(port, count)
      else load.ports.delete(port)
    }
  }
}
