import { AsyncLocalStorage } from 'node:async_hooks'
import type { Identity } from '../auth/identity.ts'

/** Sender of the request being carried out, and the warnings for its reply. */
interface Actor {
  readonly identity: Identity
  readonly warnings: string[]
  /** Work that a request set off goes on after it, and is nobody's. */
  isDone: boolean
}

const CONTROLLERS: Identity = { user: 'system:kube-controller-manager', groups: ['system:authenticated'] }
const current = new AsyncLocalStorage<Actor>()

/** Carries out a request as somebody; what admission wants them to be told is added to `warnings`. */
export async function actingAs<T>(identity: Identity, warnings: string[], run: () => Promise<T>): Promise<T> {
  const actor: Actor = { identity, warnings, isDone: false }
  try {
    return await current.run(actor, run)
  } finally {
    actor.isDone = true
  }
}

/** The present writer: the sender of the request, else the controllers. */
export function whoActs(): Pick<Actor, 'identity' | 'warnings'> {
  const actor = current.getStore()
  return actor && !actor.isDone ? actor : { identity: CONTROLLERS, warnings: [] }
}
