import { z } from 'zod'
import { MessageLevel, MessageType, type ResultLine } from './deployment.ts'

/**
 * The socket at /deployment/socket.io. The token goes in the handshake's `auth: { token }`, never in the address.
 *
 * The client emits
 * - `register` with { releaseName, lastSeq, actionId }: follows that action and replays its events after lastSeq; with
 *   a release name alone it follows the running action of that release, or, when none runs, the next ones as they are
 *   accepted, so registering may come before posting; with a lastSeq and no actionId it goes on in the newest action of
 *   the release that has come so far, also when that has ended, and then with all that began after it; acknowledged
 *   with RegisterReply;
 * - `deregister` with a release name;
 * - `watch` / `unwatch` with a Topic: asks for `changed` notes on it;
 * - `token` with a fresh access token before the old one expires.
 *
 * The server emits `message`, `IAM`, `Prepare`, `Deploy`, `Upgrade`, `Rollback`, `Delete`, `helmresult`, `hookresult`
 * (each with the fields of Stamp beside its own), `waiting`, `changed`, `signed-out` and `rights-changed`. `Prepare` brings a PreparedVersion or, when there
 * is none, a DeployResult with the state 1 that says why.
 */
export const socketPath = '/deployment/socket.io'

/** Sent before the server closes a socket whose owner is signed out, disabled or removed. */
export const signedOutEvent = 'signed-out'
export interface SignedOut {
  code: string
}

/** Sent when roles or groups of the socket's owner have changed: a new token says the new ones. */
export const rightsChangedEvent = 'rights-changed'

export const RegisterRequest = z.union([
  z.string().min(1).max(53),
  z.object({
    releaseName: z.string().min(1).max(53),
    lastSeq: z.number().int().min(0).default(0),
    actionId: z.string().max(64).optional(),
  }),
])
export type RegisterReply =
  | { ok: true; actionId: string | null; lastSeq: number }
  | { ok: false; code: string; message: string }

export const Topic = z.object({
  topic: z.enum([
    'app',
    'apps',
    'clusters',
    'cluster',
    'actions',
    'catalog',
    'spaces',
    'menu',
    'requests',
    'approvals',
  ]),
  id: z.string().max(64).optional(),
})
export type Topic = z.infer<typeof Topic>

/** What every event of an action carries beside its own fields. */
export interface Stamp {
  seq: number
  at: string
  actionId: string
  releaseName: string | null
}
export const ProgressMessage = z.object({ type: MessageType, message: z.string(), level: MessageLevel })
export type ProgressMessage = z.infer<typeof ProgressMessage>

/** What a running Helm waits for, from our own watch: objects not ready yet come first. Not numbered, only the newest counts. */
export interface Waiting {
  actionId: string
  releaseName: string
  ready: number
  total: number
  objects: { kind: string; name: string; ready: boolean; detail: string; lastEvent: string | null }[]
}
export type { ResultLine }
