import type { ManifestPlace } from '@quayside/contract/deployments/result-place'
import type { ManifestObject } from './manifest.ts'

const longest = 300

/** The object of a manifest that a line is about, and the path in it; names from a chart or a cluster are cleaned. */
export function placeOf(
  { kind, name, source }: Pick<ManifestObject, 'kind' | 'name' | 'source'>,
  at?: string,
): ManifestPlace {
  const path = clean(at?.replace(/^\./, ''))
  return {
    kind: clean(kind),
    name: clean(name),
    ...(source ? { source: clean(source) } : {}),
    ...(path ? { path } : {}),
  }
}

function clean(text = ''): string {
  return text.slice(0, longest).replace(/\p{C}/gu, '')
}
