import { sameValue, valueAt } from '@quayside/values/yaml/plain-values'
import type { Actor } from '../../../platform/auth/actor.ts'
import { fail } from '../../../platform/http/errors.ts'
import type { AppRecord } from '../../apps/index.ts'
import type { DeploymentDeps } from '../deps.ts'
import type { VersionOf } from '../ports.ts'
import { releaseOfApp } from '../releases/release-ref.ts'
import { mayWriteYaml, type Values } from './values.ts'
import { inWorker } from './values-pool.ts'

/**
 * Names of what the form does not offer and was not deployed before either: only somebody with the permission for YAML
 * may write that. What such a person has deployed stays when others upgrade the app.
 */
export async function handWritten(
  deps: Pick<DeploymentDeps, 'clusters'>,
  tenantId: string,
  { app, chosen, values }: { app: AppRecord; chosen: VersionOf; values: Values },
): Promise<string[]> {
  const found = await outside(chosen, values)
  if (found.length === 0 || !app.releaseName) return found
  const [newest] = await deps.clusters.readRelease(releaseOfApp(tenantId, app, app.releaseName))
  if (!newest) return found
  return found.filter((name) => !isKept(newest.values, values, name.split('.')))
}

function outside({ valuesYaml, valuesSchema }: VersionOf, values: Values): Promise<string[]> {
  return inWorker('outside', { values, version: { valuesYaml, valuesSchema } })
}

/** Tells whether what stands at a path is what stood there: the value, or the one above that leaves no room for it. */
export function isKept(before: unknown, now: unknown, path: readonly string[]): boolean {
  const [was, is] = [standingAt(before, path), standingAt(now, path)]
  return was !== undefined && sameValue(was, is)
}

function standingAt(values: unknown, path: readonly string[]): unknown {
  let value = values
  for (const part of path) {
    if (typeof value !== 'object' || value === null) return value
    value = valueAt(value, [part])
  }
  return value
}

/** Refuses what neither the form offers nor this person may write; of an app, what it is deployed with may stay. */
export async function refuseOutsideForm(
  actor: Actor,
  chosen: VersionOf,
  values: Values,
  field: string,
  deployed?: { deps: Pick<DeploymentDeps, 'clusters'>; app: AppRecord },
): Promise<void> {
  if (mayWriteYaml(actor)) return
  const found = deployed
    ? await handWritten(deployed.deps, actor.tenantId, { app: deployed.app, chosen, values })
    : await outside(chosen, values)
  if (found.length === 0) return
  const names = found.slice(0, 5).join(', ')
  throw fail('request.invalid', {
    field,
    message: `${field}: without the permission for YAML only what the form offers can be set, not ${names}`,
    details: { keys: found.slice(0, 50) },
  })
}
