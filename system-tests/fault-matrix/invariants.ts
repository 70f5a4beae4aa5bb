import { readdirSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { Action } from '@quayside/contract/deployments/endpoints'
import type { Case } from './cases.ts'
import { helmOf } from './helm-trace.ts'
import { isMadeBy, revisionsOf } from './releases.ts'
import type { Stage } from './stage.ts'
import type { Subject } from './subject.ts'

/** Checks the invariants that hold after every case, whatever was broken; returns a line for each that does not. */
export async function brokenInvariants(
  stage: Stage,
  one: Case,
  subject: Subject,
  action: Action,
  mostHelm: number,
): Promise<string[]> {
  const broken: string[] = []
  const must = (holds: boolean, text: string) => {
    if (!holds) broken.push(text)
  }
  const isSuccess = action.state === 'Success'
  must(isSuccess || action.state === 'Failed', `I1 it ended as ${action.state}`)
  const { app, releaseName, group } = subject
  if (app && releaseName) {
    broken.push(...(await brokenRelease(stage, releaseName, action)))
    must(mostHelm <= 1, `I5 ${mostHelm} Helm wrote the release at once`)
    // A failed deletion may have taken the access away: the next one goes on from there.
    const isWanted = one.kind === 'Delete' ? (isSuccess ? false : 'either') : one.kind !== 'Deploy' || isSuccess
    broken.push(...(await wrongAccess(stage, app.id, group ?? '', isWanted)))
  }
  if (subject.deletion && isSuccess) {
    const { items } = await stage.core.listNamespace()
    const isThere = items.some(({ metadata }) => metadata?.name === subject.deletion?.namespace)
    must(!isThere, `I4 ${one.kind} succeeded, and the namespace is there`)
  }
  broken.push(...(await wrongEvents(stage, action)))
  broken.push(...(await leftovers(stage, releaseName ? [releaseName] : [])))
  return broken
}

/** I2, I3 and I4 of a release, after the last action on it. */
export async function brokenRelease(stage: Stage, releaseName: string, action: Action): Promise<string[]> {
  const broken: string[] = []
  const revisions = await revisionsOf(stage, releaseName)
  const stuck = revisions.filter(({ status }) => /pending|uninstalling/.test(status))
  if (stuck.length > 0)
    broken.push(`I2 revision ${stuck.map((each) => `${each.revision} ${each.status}`).join()} is stuck`)
  const deployed = revisions.filter(({ status }) => status === 'deployed')
  if (deployed.length > 1) broken.push(`I3 ${deployed.length} revisions are deployed`)
  const newest = revisions[0]
  const isSuccess = action.state === 'Success'
  if (action.kind === 'Delete') {
    if (isSuccess !== (newest === undefined))
      broken.push(`I4 ${action.state}, and the newest revision is ${newest?.status}`)
    if (isSuccess && (await hasObjects(stage, releaseName))) broken.push('I4 objects of the deleted release are left')
    return broken
  }
  const isThere = newest?.status === 'deployed' && isMadeBy({ ...action, since: Date.parse(action.acceptedAt) }, newest)
  if (isSuccess !== isThere) broken.push(`I4 ${action.state}, and revision ${newest?.revision} is ${newest?.status}`)
  return broken
}

async function hasObjects(stage: Stage, releaseName: string): Promise<boolean> {
  const { namespace } = stage.space
  const lists = await Promise.all([
    stage.core.listNamespacedService({ namespace }),
    stage.core.listNamespacedSecret({ namespace }),
  ])
  return lists.some(({ items }) => items.some(({ metadata }) => metadata?.name === releaseName))
}

/** I7: one client of the app and its group where there should be, none else. */
export async function wrongAccess(
  stage: Stage,
  appId: string,
  group: string,
  isWanted: boolean | 'either',
): Promise<string[]> {
  if (isWanted === 'either') return []
  const directory = await stage.world.directory()
  const clients = await directory.get<{ redirectUris?: string[] }[]>(`/clients?clientId=quayside-app-${appId}`)
  const groups = await directory.get<{ name: string }[]>(`/groups?exact=true&search=${group}`)
  const found = `${clients.length} clients and ${groups.length} groups`
  const holds = clients.length === (isWanted ? 1 : 0) && groups.length === (isWanted ? 1 : 0)
  if (isWanted && clients.some(({ redirectUris = [] }) => redirectUris.length === 0))
    return ['I7 the client of the app has no redirect URI']
  return holds ? [] : [`I7 ${found} where ${isWanted ? 'one of each' : 'none'} should be`]
}

/** I8: the numbers of the events, and the one end among them. */
export async function wrongEvents(stage: Stage, action: Action): Promise<string[]> {
  const broken: string[] = []
  const events = await stage.ledger.events(action.id)
  if (events.some(({ seq }, index) => seq !== index + 1) || events.length !== action.lastSeq)
    broken.push(`I8 ${events.length} events, numbered up to ${events.at(-1)?.seq}, counted ${action.lastSeq}`)
  const ending = action.kind === 'DeleteSpace' || action.kind === 'DeregisterCluster' ? 'Delete' : action.kind
  const ends = events.filter(({ event }) => event === ending).length
  if (action.kind !== 'Assign' && ends !== 1) broken.push(`I8 it told its end ${ends} times`)
  return broken
}

/** I10, which a portal that has just started may still be about to make true. */
export async function leftovers(stage: Stage, releaseNames: readonly string[]): Promise<string[]> {
  const look = () => [
    ...listed(stage.runsFolder).map((name) => `I10 the folder ${name} is left`),
    ...helmOf(...releaseNames).map((pid) => `I10 Helm ${pid} is left`),
  ]
  for (let tries = 0; tries < 20 && look().length > 0; tries += 1) await delay(100)
  return look()
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
