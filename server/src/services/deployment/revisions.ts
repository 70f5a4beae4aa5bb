import type { Revision } from '@quayside/contract/deployment'
import type { App } from '@quayside/contract/portal-api'
import type { ReleaseDiff, Sides } from '@quayside/contract/upgrade'
import { keptSecret, maskDocument } from '@quayside/contract/values/masking'
import { sameValue, valueAt } from '@quayside/contract/values/plain-values'
import { readYamlValue } from '@quayside/contract/values/yaml-document'
import { fail } from '../../kernel/errors.ts'
import type { DeploymentDeps } from './deps.ts'
import { findApp } from './lookup.ts'
import { diffManifests } from './manifest-diff.ts'
import { maskSecrets } from './mask-manifest.ts'
import type { ReleaseRevision } from './ports.ts'
import { actionLabel } from './release-state.ts'
import { textOfRevision } from './release-text.ts'
import { findActions } from './store.ts'

export async function revisionsOf(deps: DeploymentDeps, tenantId: string, appId: string): Promise<Revision[]> {
  const app = await findApp(deps, tenantId, appId)
  const all = await releaseOf(deps, tenantId, app)
  const makers = await findActions(
    deps.db,
    tenantId,
    all.flatMap(({ labels }) => labels[actionLabel] ?? []),
  )
  const who = new Map(makers.map(({ id, started_by }) => [id, started_by]))
  return all.map((each) => toRevision(each, who.get(each.labels[actionLabel] ?? '')))
}

/** One revision with what it was deployed from; secret values are masked in both of its texts. */
export async function revisionOf(deps: DeploymentDeps, tenantId: string, appId: string, number: number) {
  const app = await findApp(deps, tenantId, appId)
  const found = numbered(await releaseOf(deps, tenantId, app), number)
  const { yaml, secrets, hide } = await textOfRevision(deps, tenantId, found, app.catalogVersionId)
  return {
    ...toRevision(found),
    valuesYaml: hide(maskDocument(yaml, secrets)),
    manifest: hide(maskSecrets(found.manifest)),
    notes: hide(found.notes),
  }
}

/** What differs between two revisions. Nothing secret is in it but that it differs. */
export async function compareRevisions(
  deps: DeploymentDeps,
  tenantId: string,
  appId: string,
  { from, to }: { from: number; to: number },
): Promise<ReleaseDiff> {
  const app = await findApp(deps, tenantId, appId)
  const all = await releaseOf(deps, tenantId, app)
  const [was, is] = [numbered(all, from), numbered(all, to)]
  const [before, after] = await Promise.all(
    [was, is].map((each) => textOfRevision(deps, tenantId, each, app.catalogVersionId)),
  )
  if (!before || !after) throw fail('deployment.revision-not-found')
  const hide = (text: string) => before.hide(after.hide(text))
  return {
    values: hiddenSides(before.yaml, after.yaml, [...before.secrets, ...after.secrets], hide),
    ...comparedManifests(was.manifest, is.manifest, hide),
  }
}

/** Two values documents without secrets; one that is another secret than before says so. */
export function hiddenSides(before: string, after: string, secrets: string[][], hide: (text: string) => string): Sides {
  const was = readYamlValue(before)
  return {
    before: hide(maskDocument(before, secrets)),
    after: hide(
      maskDocument(after, secrets, (path, value) => {
        const old = valueAt(was, path)
        return old === undefined || sameValue(old, value) ? keptSecret : `${keptSecret} (changed)`
      }),
    ),
  }
}

export function comparedManifests(before: string, after: string, hide: (text: string) => string) {
  return { ...diffManifests(before, after, { before: hide, after: hide }), problem: null }
}

export async function releaseOf(deps: DeploymentDeps, tenantId: string, app: App): Promise<ReleaseRevision[]> {
  if (!app.releaseName) return []
  return deps.clusters.readRelease(tenantId, app.clusterId, app.namespace, app.releaseName)
}

function numbered(all: readonly ReleaseRevision[], number: number): ReleaseRevision {
  const found = all.find((each) => each.revision === number)
  if (!found) throw fail('deployment.revision-not-found')
  return found
}

function toRevision(found: ReleaseRevision, startedBy: string | null = null): Revision {
  return {
    revision: found.revision,
    version: found.chart.version,
    status: found.status,
    updatedAt: new Date(found.updatedAt).toISOString(),
    description: found.description,
    installed: found.status === 'deployed',
    startedBy,
  }
}
