import { readdirSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { ActionRow } from '../tables.ts'
import type { Case } from './cases.ts'
import { helmOf } from './helm-trace.ts'
import type { Stage } from './stage.ts'
import type { Subject } from './subject.ts'

/** What holds after every case, whatever was broken; a line for each that does not. */
export async function brokenInvariants(
  stage: Stage,
  one: Case,
  subject: Subject,
  action: ActionRow,
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
    const revisions = await revisionsOf(stage, releaseName)
    const stuck = revisions.filter(({ status }) => /pending|uninstalling/.test(status))
    must(stuck.length === 0, `I2 revision ${stuck.map((each) => `${each.revision} ${each.status}`).join()} is stuck`)
    const deployed = revisions.filter(({ status }) => status === 'deployed')
    must(deployed.length <= 1, `I3 ${deployed.length} revisions are deployed`)
    const newest = revisions[0]
    if (one.kind === 'Delete') {
      must(isSuccess === (newest === undefined), `I4 ${action.state}, and the newest revision is ${newest?.status}`)
      if (isSuccess) must(!(await hasObjects(stage, releaseName)), 'I4 objects of the deleted release are left')
    } else {
      const isThere =
        newest?.status === 'deployed' &&
        (one.kind === 'Rollback' ? newest.revision > (action.base_revision ?? 0) : newest.action === action.id)
      must(isSuccess === isThere, `I4 ${action.state}, and revision ${newest?.revision} is ${newest?.status}`)
    }
    must(mostHelm <= 1, `I5 ${mostHelm} Helm wrote the release at once`)
    broken.push(...(await wrongAccess(stage, app.id, group ?? '', one.kind, isSuccess)))
  }
  broken.push(...(await wrongRows(stage, action)))
  broken.push(...(await leftovers(stage, releaseName)))
  return broken
}

async function revisionsOf(stage: Stage, releaseName: string) {
  const { items } = await stage.core.listNamespacedSecret({
    namespace: stage.space.namespace,
    labelSelector: `owner=helm,name=${releaseName}`,
  })
  return items
    .map(({ metadata }) => ({
      revision: Number(metadata?.labels?.version),
      status: metadata?.labels?.status ?? '',
      action: metadata?.labels?.portalAction,
    }))
    .sort((a, b) => b.revision - a.revision)
}

async function hasObjects(stage: Stage, releaseName: string): Promise<boolean> {
  const { namespace } = stage.space
  const lists = await Promise.all([
    stage.core.listNamespacedService({ namespace }),
    stage.core.listNamespacedSecret({ namespace }),
  ])
  return lists.some(({ items }) => items.some(({ metadata }) => metadata?.name === releaseName))
}

async function wrongAccess(stage: Stage, appId: string, group: string, kind: string, isSuccess: boolean) {
  const directory = await stage.world.directory()
  const clients = await directory.get<{ redirectUris?: string[] }[]>(`/clients?clientId=quayside-app-${appId}`)
  const groups = await directory.get<{ name: string }[]>(`/groups?exact=true&search=${group}`)
  const isWanted = kind === 'Delete' ? !isSuccess : kind !== 'Deploy' || isSuccess
  const found = `${clients.length} clients and ${groups.length} groups`
  // A failed deletion may have taken the access away: the next one goes on from there.
  if (kind === 'Delete' && !isSuccess) return []
  const holds = clients.length === (isWanted ? 1 : 0) && groups.length === (isWanted ? 1 : 0)
  if (isWanted && clients.some(({ redirectUris = [] }) => redirectUris.length === 0))
    return ['I7 the client of the app has no redirect URI']
  return holds ? [] : [`I7 ${found} where ${isWanted ? 'one of each' : 'none'} should be`]
}

async function wrongRows(stage: Stage, action: ActionRow): Promise<string[]> {
  const broken: string[] = []
  const events = await stage.rows<{ seq: number; event: string }>(
    'select seq, event from action_event where action_id = $1 order by seq',
    [action.id],
  )
  if (events.some(({ seq }, index) => seq !== index + 1) || events.length !== action.last_seq)
    broken.push(`I8 ${events.length} events, numbered up to ${events.at(-1)?.seq}, counted ${action.last_seq}`)
  const ends = events.filter(({ event }) => event === action.kind).length
  if (action.kind !== 'Assign' && ends !== 1) broken.push(`I8 it told its end ${ends} times`)
  const audit = await stage.rows<{ moment: string }>(
    'select moment from action_audit where action_id = $1 order by 1',
    [action.id],
  )
  const moments = audit.map(({ moment }) => moment).join()
  if (moments !== 'accept,final') broken.push(`I9 audit rows: ${moments}`)
  return broken
}

async function leftovers(stage: Stage, releaseName: string | null): Promise<string[]> {
  const look = () => [
    ...listed(stage.runsFolder).map((name) => `I10 the folder ${name} is left`),
    ...(releaseName ? helmOf(releaseName) : []).map((pid) => `I10 Helm ${pid} is left`),
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
