import type { App } from '@quayside/contract/apps/endpoints'
import type { DeployData } from '@quayside/contract/deployments/deploy-data'
import type { DeployCommand, UpgradeCommand } from '@quayside/contract/deployments/endpoints'
import type { z } from 'zod'
import type { Actor } from '../../../platform/auth/actor.ts'
import { fail } from '../../../platform/http/errors.ts'
import type { DeploymentDeps } from '../deps.ts'
import type { AccessGroup, VersionOf } from '../ports.ts'
import { releaseOfApp } from '../releases/release-ref.ts'
import { actionLabel } from '../releases/release-state.ts'
import { releaseOf } from '../releases/revisions.ts'
import { withKeptSecrets } from '../secrets/kept-secrets.ts'
import { findMaker } from '../store.ts'
import type { ActionRow } from '../tables.ts'
import { refuseOutsideForm } from '../values/restricted-values.ts'
import { readSubmitted } from '../values/values.ts'
import { accept, type Command } from './accept.ts'
import { mustBeInstalled } from './base-revision.ts'
import { assertCommandMatchesApp, mustEqual } from './command-matches-app.ts'
import { mustLeaveAccess } from './leave-access.ts'
import { about, findApp, findVersion, markApp, mustUseCluster } from './lookup.ts'

/** Installs an assigned app. Also the way to try again after a first installation that failed. */
export function deploy(deps: DeploymentDeps, command: Command, body: DeployCommand): Promise<ActionRow> {
  const { actor } = command
  return accept(deps, command, async () => {
    const { app, chosen, yaml, secretPaths } = await checked(deps, actor, body)
    await mustHaveNoOtherRelease(deps, actor.tenantId, app, body.releaseName)
    await nameMustBeFree(deps, actor.tenantId, app, body.releaseName)
    await mustNotNameAnother(deps, actor.tenantId, app, body.releaseName)
    const edited = body.deployData.editableAppData
    return {
      input: {
        kind: 'Deploy',
        yaml,
        secretPaths,
        groups: groupsOf(body.deployData),
        realm: actor.realm,
        giveUpEarly: body.giveUpEarly ?? true,
      },
      about: {
        ...about(app, body.releaseName, chosen.version),
        app_name: edited?.displayName ?? app.displayName,
        cost_reason: body.costReason || null,
      },
      async also(trx) {
        const patch = {
          ...(edited ?? {}),
          state: 'deploying',
          stateMessage: null,
          releaseName: body.releaseName,
        } as const
        await markApp(deps, trx, { tenantId: actor.tenantId, id: app.id }, patch, 'appId')
      },
    }
  })
}

/** Brings a deployed app to a version and values. */
export function upgrade(
  deps: DeploymentDeps,
  command: Command,
  body: z.infer<typeof UpgradeCommand>,
): Promise<ActionRow> {
  const { actor } = command
  return accept(deps, command, async () => {
    const { app, chosen, yaml, secretPaths } = await checked(deps, actor, body)
    if (!app.releaseName) throw fail('deployment.not-deployed', { field: 'appId' })
    if (body.baseRevision != null) mustBeInstalled(await releaseOf(deps, actor.tenantId, app), body.baseRevision)
    return {
      input: {
        kind: 'Upgrade',
        yaml,
        secretPaths,
        ...(body.deployData.groups.length > 0 ? { groups: groupsOf(body.deployData) } : {}),
        realm: actor.realm,
        giveUpEarly: body.giveUpEarly ?? true,
      },
      about: { ...about(app, app.releaseName, chosen.version), cost_reason: body.costReason || null },
      async also(trx) {
        const patch = { state: 'deploying', stateMessage: null } as const
        await markApp(deps, trx, { tenantId: actor.tenantId, id: app.id }, patch, 'appId')
      },
    }
  })
}

function groupsOf({ groups }: DeployData): AccessGroup[] {
  return groups.map(({ id, name, resourceRoles }) => ({
    id: id ?? null,
    name,
    resourceRoles: resourceRoles.map((each) => each.name),
  }))
}

async function checked(
  deps: DeploymentDeps,
  actor: Actor,
  { appId, versionId, deployData }: { appId: string; versionId: string; deployData: DeployData },
): Promise<{ app: App; chosen: VersionOf; yaml: string; secretPaths: string[][] }> {
  const [app, chosen] = await Promise.all([
    findApp(deps, actor.tenantId, appId, 'appId'),
    findVersion(deps, actor.tenantId, versionId, 'versionId'),
  ])
  mustEqual('versionId', chosen.item.id, app.catalogItemId)
  const space = await mustUseCluster(deps, actor.tenantId, app, 'appId')
  // An upgrade may write the chosen version into the catalog child of the one before.
  assertCommandMatchesApp(deployData, { actor, app, space, versionIds: [versionId, app.catalogVersionId] })
  const groups = groupsOf(deployData)
  await mustLeaveAccess(deps, actor, app.id, { groups }, 'deployData.groups')
  await deps.access.checkNewGroups(actor, app.id, groups, 'deployData.groups')
  const field = 'deployData.yaml'
  const yaml = await withKeptSecrets(deps, actor.tenantId, app, { yaml: deployData.yaml, field })
  const { values, secretPaths } = await readSubmitted(yaml, field, chosen)
  await refuseOutsideForm(actor, chosen, values, field, { deps, app })
  return { app, chosen, yaml, secretPaths }
}

/** A name is free when the cluster has no such release, or only what is left of this app's own failed installation. */
async function nameMustBeFree(deps: DeploymentDeps, tenantId: string, app: App, releaseName: string): Promise<void> {
  const revisions = await deps.clusters.readRelease(releaseOfApp(tenantId, app, releaseName))
  const newest = revisions[0]
  if (!newest) return
  const maker = await findMaker(deps.db, tenantId, app.id, newest.labels[actionLabel])
  const isOwnFailure = maker && !revisions.some((each) => each.status === 'deployed')
  if (!isOwnFailure) throw fail('deployment.release-name-taken', { field: 'releaseName' })
}

/** An app stands for one release: with a second one, the first would run on under no app, where nobody deletes it. */
async function mustHaveNoOtherRelease(
  deps: DeploymentDeps,
  tenantId: string,
  app: App,
  releaseName: string,
): Promise<void> {
  if (!app.releaseName || app.releaseName === releaseName) return
  const [newest] = await releaseOf(deps, tenantId, app)
  const isThere = newest !== undefined && newest.status !== 'uninstalled'
  if (!isThere && !deployedStates.has(app.state)) return
  const message = `This app is deployed already as ${app.releaseName}: upgrade it instead.`
  throw fail('deployment.already-deployed', { field: 'releaseName', message })
}

/** States of a record whose release runs, even if the cluster shows no release at this moment. */
const deployedStates: ReadonlySet<App['state']> = new Set(['healthy', 'progressing', 'degraded'])

/** A release that ends in the identifier of another app would be taken for that one's. */
async function mustNotNameAnother(
  deps: DeploymentDeps,
  tenantId: string,
  app: App,
  releaseName: string,
): Promise<void> {
  const last = releaseName.slice(releaseName.lastIndexOf('-') + 1)
  if (last === app.identifier || last.length !== app.identifier.length) return
  if (await deps.apps.find(tenantId, last)) throw fail('deployment.release-name-of-another', { field: 'releaseName' })
}
