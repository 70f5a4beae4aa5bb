import type { AppOverview } from '@quayside/contract/clusters/endpoints'
import type { Part } from '../releases/app-parts.ts'
import type { AppScope } from '../releases/app-scope.ts'
import { stateOfApp } from '../releases/app-state.ts'
import { endpointsOfParts } from '../workloads/endpoints.ts'
import { timeOf } from '../workloads/fields.ts'
import { cleanText } from '../workloads/foreign-text.ts'

const mostObjects = 2000
const first = [
  'Deployment',
  'StatefulSet',
  'DaemonSet',
  'CronJob',
  'Job',
  'Pod',
  'PersistentVolumeClaim',
  'Service',
  'Ingress',
]

/** The release, its objects as a tree, and where it can be reached. */
export function toOverview(scope: AppScope, hide = (text: string) => text): AppOverview {
  const { app, content, parts } = scope
  const release = content?.release
  const isDeployed = app.releaseName !== null
  const whole = isDeployed ? stateOfApp(scope) : { state: 'unknown' as const, message: 'It is not deployed yet' }
  return {
    release: release
      ? {
          name: cleanText(release.name, 63),
          namespace: cleanText(release.namespace, 63) || app.namespace,
          revision: release.revision,
          status: cleanText(release.status, 40),
          chart: cleanText(`${release.chart.name}-${release.chart.version}`, 300),
          appVersion: release.chart.appVersion === null ? null : cleanText(release.chart.appVersion, 100),
          updatedAt: timeOf(release.updatedAt),
          notes: cleanText(hide(release.notes), 20_000),
        }
      : null,
    ...whole,
    message: whole.message === null ? null : hide(whole.message),
    objects: inOrder(parts).slice(0, mostObjects).map(toRow),
    endpoints: endpointsOfParts(parts),
  }
}

function toRow({ id, parent, kind, name, namespace, state, hook }: Part): AppOverview['objects'][number] {
  const detail = state.message && state.state !== 'healthy' ? state.message : state.detail
  return {
    id,
    parent,
    kind: cleanText(kind, 100),
    name: cleanText(name, 253),
    namespace: namespace === null ? null : cleanText(namespace, 63),
    state: state.state,
    detail: cleanText(hook ? `Hook. ${detail}` : detail, 500),
  }
}

/** Sorts parents before the objects they made, then by kind in the order of `first`, then by name. */
function inOrder(parts: readonly Part[]): Part[] {
  const rank = (kind: string) => (first.includes(kind) ? first.indexOf(kind) : first.length)
  const depth = (part: Part) => (part.parent === null ? 0 : 1)
  return [...parts].sort(
    (a, b) =>
      depth(a) - depth(b) ||
      rank(a.kind) - rank(b.kind) ||
      a.kind.localeCompare(b.kind) ||
      a.name.localeCompare(b.name),
  )
}
