import { type RegisterReply, RegisterRequest } from '@quayside/contract/live/live'
import { Failure } from '../../../platform/http/errors.ts'
import type { LiveSocket } from '../../../platform/live/live.ts'
import type { DeploymentDeps } from '../deps.ts'
import type { Follower } from './follower.ts'
import type { Pump } from './pump.ts'
import type { Notes } from './receive-notes.ts'
import { type Place, placeAmong, placeIn } from './visibility.ts'

interface Parts {
  followers: Set<Follower>
  /** Every connected socket, by its id. */
  callers: Map<string, LiveSocket>
  pump: Pump
  notes: Pick<Notes, 'catchUp'>
}

const mostPerSocket = 20

/** Answers the calls of a socket: to follow a release or an action from where it left off, and to stop. */
export function createRegistrations(deps: DeploymentDeps, { followers, callers, pump, notes }: Parts) {
  async function register(socket: LiveSocket, asked: unknown): Promise<RegisterReply> {
    const request = RegisterRequest.safeParse(asked)
    if (!request.success)
      return refusal('request.invalid', 'register: give a release name, and a lastSeq that is a whole number from 0')
    const { actor } = socket.data
    const said = typeof request.data === 'string' ? { releaseName: request.data, lastSeq: 0 } : request.data
    const actionId = 'actionId' in said ? said.actionId : undefined
    const count = [...followers].filter((each) => each.socket === socket).length
    if (count >= mostPerSocket) return refusal('request.too-many', 'Too many releases are followed at once.')
    const [newest, seen] = actionId ? await placeIn(deps, actor, actionId, said) : await placeAmong(deps, actor, said)
    if (actionId && !newest) return refusal('deployment.action-not-found', 'This action does not exist.')
    if (!socket.connected) return refusal('request.invalid', 'The socket is gone.')
    stopFollowing(socket, said.releaseName)
    followers.add({
      socket,
      tenantId: actor.tenantId,
      releaseName: said.releaseName,
      isPinned: actionId !== undefined,
      seen: new Map(seen),
    })
    // The reply first, then the replay: it starts after this turn.
    setImmediate(() => void replay(actor.tenantId, seen, actionId ? undefined : said.releaseName))
    return { ok: true, actionId: newest?.id ?? null, lastSeq: newest?.last_seq ?? 0 }
  }

  async function replay(tenantId: string, seen: Place[1], releaseName: string | undefined): Promise<void> {
    for (const [actionId] of seen) await pump(tenantId, actionId)
    // An action may have been accepted between the look and the following.
    if (releaseName) await notes.catchUp(tenantId, releaseName)
  }

  function stopFollowing(socket: LiveSocket, releaseName: string) {
    for (const each of followers) if (each.socket === socket && each.releaseName === releaseName) followers.delete(each)
  }

  return function serve(socket: LiveSocket): void {
    callers.set(socket.id, socket)
    socket.on('register', (asked: unknown, done?: (reply: RegisterReply) => void) => {
      register(socket, asked)
        .catch((error: unknown) => {
          if (!isRefusedForNow(error)) deps.log.warn({ err: error }, 'a socket could not be registered')
          return error instanceof Failure
            ? refusal(error.code, error.message)
            : refusal('internal', 'Something went wrong on our side.')
        })
        .then((reply) => done?.(reply))
    })
    socket.on('deregister', (releaseName: unknown) => {
      if (typeof releaseName === 'string') stopFollowing(socket, releaseName)
    })
    socket.on('disconnect', () => {
      callers.delete(socket.id)
      for (const each of followers) if (each.socket === socket) followers.delete(each)
    })
  }
}

/** Refusals while there is too much to do are counted and logged together. */
function isRefusedForNow(error: unknown): boolean {
  return error instanceof Failure && (error.code === 'portal.busy' || error.code === 'request.too-many')
}

function refusal(code: string, message: string): RegisterReply {
  return { ok: false, code, message }
}
