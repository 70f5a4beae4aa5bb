import type { ManifestPlace } from '@quayside/contract/result-place'
import type { ManifestObject } from './manifest.ts'

const longest = 300

/** Which object of a manifest a line is about, and where in it, in words of the chart or a cluster without its tricks. */
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
