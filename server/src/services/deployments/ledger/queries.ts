import type { App } from '@quayside/contract/apps/endpoints'
import type { DeployedApp } from '@quayside/contract/deployments/deployed-app'
import type { Action, ActionEvent } from '@quayside/contract/deployments/endpoints'
import type { ListQuery, ListReply } from '@quayside/contract/http/paging'
import type { Actor } from '../../../platform/auth/actor.ts'
import type { Reader } from '../../../platform/auth/reader.ts'
import type { Access, SpaceCondition } from '../../../platform/auth/rights.ts'
import { fail } from '../../../platform/http/errors.ts'
import { listReply } from '../../../platform/http/listing.ts'
import { decryptPrepared } from '../commands/command-input.ts'
import { findVersion } from '../commands/lookup.ts'
import type { DeploymentDeps } from '../deps.ts'
import { payloadOf } from '../live/send-news.ts'
import { findAction, listActions, present } from '../store.ts'
import type { ActionRow } from '../tables.ts'
import { eventsAfter } from './event-store.ts'

/** Apps of a tenant that have a release, of those that the caller sees; a tenant other than the caller's own does not exist for them. */
export async function deployedByIds(
  deps: DeploymentDeps,
  actor: Actor,
  tenantId: string,
  ids: string[],
  within: SpaceCondition | undefined,
): Promise<DeployedApp[]> {
  if (tenantId !== actor.tenantId) throw fail('tenant.not-found')
  const apps = await deps.apps.byIds(tenantId, ids, within)
  return presentDeployed(deps, actor, apps)
}

/** The apps of one catalog item that the caller sees. */
export async function deployedOfItem(
  deps: DeploymentDeps,
  actor: Actor,
  tenantId: string,
  itemId: string,
  within: SpaceCondition | undefined,
): Promise<DeployedApp[]> {
  if (tenantId !== actor.tenantId) throw fail('tenant.not-found')
  const query = { filters: { catalogItemId: itemId }, sort: {}, page: { skip: 0, limit: 1000 } }
  const { data } = await deps.apps.list(tenantId, query, '', within)
  return presentDeployed(deps, actor, data)
}

async function presentDeployed(deps: DeploymentDeps, actor: Actor, apps: App[]): Promise<DeployedApp[]> {
  const spaces = new Map<string, string>()
  for (const id of new Set(apps.map((app) => app.spaceId)))
    spaces.set(id, (await deps.spaces.record(actor.tenantId, id))?.identifier ?? '')
  return apps
    .filter((app) => app.releaseName !== null)
    .map((app) => ({
      id: app.id,
      appId: app.id,
      appName: app.displayName,
      releaseName: app.releaseName ?? '',
      versionId: app.catalogVersionId,
      version: app.version,
      revision: app.revision ?? 0,
      spaceId: app.spaceId,
      clusterId: app.clusterId,
      namespace: app.namespace,
      tenantIdentifier: actor.tenantIdentifier,
      spaceIdentifier: spaces.get(app.spaceId) ?? '',
      instanceIdentifier: app.identifier,
      appIdentifier: app.identifier,
      catalogItemId: app.catalogItemId,
      catalogVersionId: app.catalogVersionId,
      resourceRoles: app.resourceRoles,
    }))
}

/** Prepared values are the ones that an upgrade would start from: people who may only look do not see them. */
function seesPrepared({ scopes }: Pick<Access, 'scopes'>): boolean {
  return scopes.has('app.manage') || scopes.has('space.deploy')
}

function presentAction(deps: DeploymentDeps, row: ActionRow, access: Access): Action {
  return present(row, seesPrepared(access) ? decryptPrepared(deps.encryption, row) : null)
}

export async function actionsOf(
  deps: DeploymentDeps,
  reader: Reader,
  query: ListQuery,
  path: string,
): Promise<ListReply<Action>> {
  const { rows, total } = await listActions(deps.db, reader, query)
  // A list says that something was prepared, not what.
  const data = rows.map((row) => present(row, null))
  return listReply(data, total, query, path)
}

/** News come by notes; one that got lost costs no more than this. */
const lookAgainMs = 2000

/** One action; waits for its end as long as asked. */
export async function actionOf(
  { deps, news }: { deps: DeploymentDeps; news(actionId: string, milliseconds: number): Promise<void> },
  tenantId: string,
  id: string,
  waitSeconds: number,
  { access, isGone, mustStillBeAllowed }: { access: Access; isGone(): boolean; mustStillBeAllowed(): Promise<Access> },
): Promise<Action> {
  let now = access
  const until = performance.now() + waitSeconds * 1000
  for (;;) {
    // Listening begins before the look, or what happens in between would be missed.
    const left = until - performance.now()
    const next = left > 0 ? news(id, Math.min(left, lookAgainMs)) : undefined
    const row = await findAction(deps.db, tenantId, id)
    if (!row) throw fail('deployment.action-not-found')
    if (row.final_at !== null || !next || isGone()) return presentAction(deps, row, now)
    await next
    now = await mustStillBeAllowed()
  }
}

export async function eventsOf(
  deps: DeploymentDeps,
  tenantId: string,
  id: string,
  { after, access }: { after: number; access: Access },
): Promise<ActionEvent[]> {
  const action = await findAction(deps.db, tenantId, id)
  if (!action) throw fail('deployment.action-not-found')
  const rows = await eventsAfter(deps.db, tenantId, id, after)
  return rows.map((row) => ({
    seq: row.seq,
    at: row.at.toISOString(),
    event: row.event,
    payload: payloadOf(deps, action, row, seesPrepared(access)),
  }))
}

/** The version that a catalog app id stands for. */
export async function catalogApp(deps: DeploymentDeps, tenantId: string, id: string, within?: SpaceCondition) {
  const { version } = await findVersion(deps, tenantId, id)
  const item = await deps.catalog.get(tenantId, { id: version.catalogItemId }, within)
  return {
    id: version.id,
    catalogItemId: item.id,
    iconEmbedded: version.iconEmbedded ?? item.iconEmbedded,
    iconUri: version.iconUri ?? item.iconUri,
    child: { item, version },
  }
}
