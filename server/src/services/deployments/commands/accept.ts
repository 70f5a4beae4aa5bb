import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Accepted, ActionKind } from '@quayside/contract/deployments/endpoints'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Actor } from '../../../platform/auth/actor.ts'
import { createSemaphore } from '../../../platform/concurrency/semaphore.ts'
import { failpoint } from '../../../platform/config/failpoints.ts'
import { longId } from '../../../platform/db/ids.ts'
import { type UnitOfWork, unitOfWork } from '../../../platform/db/unit-of-work.ts'
import { Failure, fail } from '../../../platform/http/errors.ts'
import type { DeploymentDeps } from '../deps.ts'
import { needsDisk } from '../engine/disk.ts'
import { queueOf } from '../engine/queues.ts'
import { noteOf } from '../ledger/event-store.ts'
import { findAction, findByKey, findRunning, insertAction, type NewAction } from '../store.ts'
import type { ActionRow, Tables } from '../tables.ts'
import { type CommandInput, encryptInput } from './command-input.ts'
import { mustNotBeFrozen } from './frozen.ts'

export interface Command {
  actor: Actor
  kind: ActionKind
  idemKey: string | null
  digest: string
  socketId: string | null
}

/** The result of checking a command: the input and columns of its action, and writes for the same transaction. */
interface Checked {
  input: CommandInput
  about: Pick<NewAction, 'app_id' | 'app_name'> & Partial<NewAction>
  also?(trx: UnitOfWork, action: ActionRow): Promise<void>
}

/**
 * Commands are accepted one at a time, so that of a hundred sent at once the first run while the last still wait: the
 * first Helm starts after 0.3 s, instead of 0.4 s with four at a time and 1.1 s with sixteen, and all are accepted as
 * soon. A command that waits for an unreachable cluster must not hold up the others: none waits longer than this.
 */
const longestInLineMs = 1000
const slots = createSemaphore(1)
const triesAgainstEnding = 3
const lookForMs = 3000
const lookEveryMs = 150
const keyPattern = /^[\x21-\x7e]{1,200}$/

export function commandOf(
  kind: ActionKind,
  actor: Actor,
  body: { socketId?: string | null; [field: string]: unknown },
  request: Pick<FastifyRequest, 'headers'>,
): Command {
  const header = request.headers['idempotency-key']
  const idemKey = (Array.isArray(header) ? header[0] : header) ?? null
  if (idemKey !== null && !keyPattern.test(idemKey))
    throw fail('request.invalid', { field: 'Idempotency-Key', message: 'Idempotency-Key: 1 to 200 visible characters' })
  const { socketId, ...rest } = body
  const digest = createHash('sha256')
    .update(canonical({ kind, ...rest }))
    .digest('hex')
  return { actor, kind, idemKey, digest, socketId: socketId ?? null }
}

/**
 * One accepted command is one transaction: the ledger's row, its audit row, the app's change and the job that wakes a
 * worker. A command that was accepted before under the same key is answered with what it became.
 */
export async function accept(
  deps: DeploymentDeps,
  command: Command,
  check: () => Promise<Checked>,
): Promise<ActionRow> {
  const known = await knownByKey(deps, command)
  if (known) return known
  if (command.kind !== 'Prepare') await needsDisk(deps.config.dataDir)
  const release = await slots.acquire(AbortSignal.timeout(longestInLineMs)).catch(() => () => undefined)
  try {
    return await acceptInTurn(deps, command, check)
  } finally {
    release()
  }
}

async function acceptInTurn(deps: DeploymentDeps, command: Command, check: () => Promise<Checked>): Promise<ActionRow> {
  for (let left = triesAgainstEnding; ; left -= 1) {
    const checked = await check()
    await mustNotBeFrozen(deps, command.actor, { kind: command.kind, spaceId: checked.about.space_id })
    try {
      return await acceptChecked(deps, command, checked)
    } catch (error) {
      const constraint = brokenConstraint(error)
      // A second command with the same key can break several constraints, and the database may name any of them.
      const twin = constraint.startsWith('action_') ? await knownByKey(deps, command) : undefined
      if (twin) return twin
      if (!constraint.startsWith('action_one_per')) throw error
      const running = await runningBeside(deps, command, checked)
      // The one in the way ended in between and may have changed what was checked: look again.
      if (running || left === 0) throw conflict(running, error)
    }
  }
}

async function acceptChecked(deps: DeploymentDeps, command: Command, checked: Checked): Promise<ActionRow> {
  await failpoint('F1')
  const id = longId()
  const action = await insert(deps, command, checked, id).catch((error: unknown) => lookFor(deps, command, id, error))
  if (action.final_at !== null) await failpoint('F20')
  publishChanges(deps, action)
  await failpoint('F3')
  return action
}

/** When the answer to the commit was lost, the row says whether it was done; that it is not there yet says nothing. */
async function lookFor({ db }: DeploymentDeps, { actor }: Command, id: string, lost: unknown): Promise<ActionRow> {
  if (!(lost instanceof Failure && lost.code === 'database.outcome-unknown')) throw lost
  const until = performance.now() + lookForMs
  while (performance.now() < until) {
    await delay(lookEveryMs)
    const found = await findAction(db, actor.tenantId, id).catch(() => undefined)
    if (found) return found
  }
  throw lost
}

export function accepted(action: ActionRow): Accepted {
  return { actionId: action.id, state: action.state, releaseName: action.release_name }
}

/** Lists of actions and apps that people look at should be read again. */
export function publishChanges(deps: Pick<DeploymentDeps, 'live'>, action: ActionRow): void {
  const spaceId = action.space_id ?? undefined
  deps.live.changed(action.tenant_id, 'actions', action.id, spaceId)
  if (action.kind === 'Prepare') return
  if (action.kind === 'DeregisterCluster')
    deps.live.changed(action.tenant_id, 'clusters', action.cluster_id ?? undefined)
  deps.live.changed(action.tenant_id, 'apps', undefined, spaceId)
  deps.live.changed(action.tenant_id, 'spaces', undefined, spaceId)
  if (action.app_id) deps.live.changed(action.tenant_id, 'app', action.app_id, spaceId)
}

/** The action that the same command has become, sent before by the same person under the same key. */
export async function knownByKey(
  deps: Pick<DeploymentDeps, 'db'>,
  { actor, idemKey, digest }: Command,
): Promise<ActionRow | undefined> {
  if (idemKey === null) return undefined
  const known = await findByKey(deps.db, actor, idemKey)
  if (known && known.digest !== digest) throw fail('request.key-reused', { field: 'Idempotency-Key' })
  return known
}

async function insert(
  deps: DeploymentDeps,
  command: Command,
  { input, about, also }: Checked,
  id: string,
): Promise<ActionRow> {
  const { actor, kind } = command
  return deps.db.tenant<Tables, ActionRow>(actor.tenantId, async (trx) => {
    const action = await insertAction(trx, {
      release_key: null,
      release_name: null,
      ...about,
      id,
      tenant_id: actor.tenantId,
      kind,
      state: about.state ?? 'accepted',
      started_by: actor.username,
      started_by_id: actor.userId,
      socket_id: command.socketId,
      idem_key: command.idemKey,
      digest: command.digest,
      input: encryptInput(deps.encryption, actor.tenantId, id, input),
    })
    await also?.(unitOfWork(trx), action)
    if (action.final_at === null)
      await deps.jobs.send(trx, queueOf(kind), action.id, { actionId: action.id, tenantId: actor.tenantId })
    await sql`select ${noteOf(action)}`.execute(trx)
    await failpoint('F2')
    return action
  })
}

function brokenConstraint(error: unknown): string {
  const isUniqueViolation = error instanceof Error && 'code' in error && error.code === '23505'
  return isUniqueViolation && 'constraint' in error ? String(error.constraint) : ''
}

function runningBeside(deps: DeploymentDeps, { actor }: Command, { about }: Checked): Promise<ActionRow | undefined> {
  return findRunning(deps.db, actor.tenantId, { releaseKey: about.release_key ?? null, appId: about.app_id ?? null })
}

/** Two commands met: the ledger's unique indexes let one through, and the other one learns who was first. */
function conflict(running: ActionRow | undefined, cause: unknown) {
  return fail('deployment.already-running', {
    message: running
      ? `${running.kind} of ${running.app_name}, started by ${running.started_by}, is still running.`
      : undefined,
    details: running && {
      actionId: running.id,
      kind: running.kind,
      startedBy: running.started_by,
      acceptedAt: running.accepted_at.toISOString(),
    },
    cause,
  })
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, node: unknown) =>
    typeof node === 'object' && node !== null && !Array.isArray(node)
      ? Object.fromEntries(Object.entries(node).sort(([a], [b]) => (a < b ? -1 : 1)))
      : node,
  )
}
