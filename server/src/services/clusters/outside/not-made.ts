import type { ManifestObject } from '../../../adapters/helm/manifest.ts'
import { isMadeByCharts } from '../../../adapters/kubernetes/space/space-rules.ts'
import { fail } from '../../../platform/http/errors.ts'
import { cleanText } from '../workloads/foreign-text.ts'
import { groupOf } from './group-of.ts'

/** A sentence about an object that no chart makes in its space; `kind` is a kind or the name of its resource. */
export function notMade(what: string, kind: string, group: string): string {
  const whose = /^(resourcequota|limitrange)s?$/i.test(kind)
    ? 'who looks after the cluster sets quotas and limits of a space, and no chart does'
    : `charts may not make ${cleanText(group ? `${kind} of ${group}` : kind, 300)} in a space`
  return `${what} cannot be made: ${whose}. Leave it out by the values of the chart`
}

/**
 * Refuses a release with objects that its account could neither make nor delete: it would be stored, and stay for ever.
 * @throws `approval.refused`
 */
export function mustBeMade(inSpace: readonly ManifestObject[]): void {
  const refused = inSpace.find(({ apiVersion, kind }) => kind !== '' && !isMadeByCharts(groupOf(apiVersion), kind))
  if (!refused) return
  const what = cleanText(`${refused.kind} ${refused.name}`, 300)
  throw fail('approval.refused', { message: `${notMade(what, refused.kind, groupOf(refused.apiVersion))}.` })
}
