import { stringify } from 'yaml'
import { newestFirst } from './newest-first.ts'
import type { VersionHead } from './present.ts'

/** The catalog as a Helm repository lists itself. Addresses are relative, so that they hold under any host. */
export function indexYaml(versions: readonly VersionHead[]): string {
  const byName = Map.groupBy(versions, (version) => version.chart.name)
  const entries = [...byName]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, all]) => [name, newestFirst(all).map(entryOf)])
  const newest = Math.max(0, ...versions.map((version) => version.created_at.getTime()))
  return stringify(
    { apiVersion: 'v1', generated: new Date(newest).toISOString(), entries: Object.fromEntries(entries) },
    { aliasDuplicateObjects: false, lineWidth: 0 },
  )
}

function entryOf(version: VersionHead) {
  const { chart } = version
  return {
    apiVersion: chart.apiVersion,
    name: chart.name,
    version: chart.version,
    type: chart.type,
    appVersion: chart.appVersion,
    kubeVersion: chart.kubeVersion,
    description: chart.description,
    home: chart.home,
    keywords: chart.keywords.length > 0 ? chart.keywords : undefined,
    deprecated: chart.deprecated || undefined,
    created: version.created_at.toISOString(),
    digest: version.digest.replace('sha256:', ''),
    urls: [`charts/${encodeURIComponent(`${chart.name}-${chart.version}.tgz`)}`],
  }
}
