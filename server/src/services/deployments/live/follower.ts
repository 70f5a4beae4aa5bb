import type { LiveSocket } from '../../../platform/live/live.ts'

/** A socket that follows a release, or one action of it. */
export interface Follower {
  socket: LiveSocket
  tenantId: string
  /** Empty for the caller of a Prepare, who follows that action alone. */
  releaseName: string
  /** Named by the client: does not move on to the next action of the release. */
  isPinned: boolean
  /** Up to where this socket has everything, by action. */
  seen: Map<string, number>
}

export function seenBy(follower: Follower, actionId: string): number {
  return follower.seen.get(actionId) ?? 0
}
