import type { Remedy } from '@quayside/contract/deployments/endpoints'
import { readManifestInWorker } from '../../../adapters/helm/parse-manifest.ts'
import { handWritten } from '../values/restricted-values.ts'
import type { Values } from '../values/values.ts'
import { inWorker } from '../values/values-pool.ts'
import { policiesBeyondTheSpace } from './policies-beyond-the-space.ts'
import { policySwitches } from './policy-switches.ts'
import type { Subject } from './validation-stages.ts'

/**
 * Values with which the network policies that were refused are left out: found by rendering the chart with them, so that
 * only what helps is offered. Empty where none was found, or where the person may not write them.
 * @param signal ends the search, and the rendering that runs
 */
export async function remedyFor(subject: Subject, signal: AbortSignal): Promise<Remedy> {
  const { deps, actor, app, chosen, yaml, values, mayWriteYaml, shared } = subject
  const { render, refusedPolicies = [] } = shared
  if (render === undefined || refusedPolicies.length === 0) return []
  const merged = await inWorker('coalesced', { valuesYaml: chosen.valuesYaml, values })
  for (const paths of policySwitches(refusedPolicies, merged)) {
    if (signal.aborted) return []
    const changes = paths.map((path) => ({ path, value: false }))
    const written = await inWorker('written', { yaml, changes })
    const changed = (await inWorker('read', { yaml: written })) as Values
    if (!mayWriteYaml && (await handWritten(deps, actor.tenantId, { app, chosen, values: changed })).length > 0)
      continue
    const outcome = await deps.helm.template({ ...render, values: written }, { signal })
    if (outcome.ended !== 'exit' || outcome.code !== 0) continue
    const objects = await readManifestInWorker(outcome.stdout)
    if (policiesBeyondTheSpace(objects, app.namespace).length === 0) return changes
  }
  return []
}
