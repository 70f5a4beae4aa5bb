import type { Pod } from '../engine/pod-kinds.ts'

/** What a container's end brings about in the cluster, where a real program would have done it. */
export interface Chores {
  afterExit(pod: Pod, container: string, exitCode: number): void
}
