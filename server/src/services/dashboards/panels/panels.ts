import type { PanelData, PanelFrame, PanelQuery } from '@quayside/contract/dashboards/query'
import type { Panel, Plugin } from '@quayside/contract/dashboards/spec'
import { role } from '@quayside/contract/http/policy'
import type { Actor } from '../../../platform/auth/actor.ts'
import { holdsAny } from '../../../platform/auth/policy.ts'
import { readerOf } from '../../../platform/auth/reader.ts'
import type { Rights } from '../../../platform/auth/rights.ts'
import { Failure } from '../../../platform/http/errors.ts'
import type { Logger } from '../../../platform/logging/logger.ts'
import type { Apps } from '../../apps/index.ts'
import type { Clusters } from '../../clusters/index.ts'
import type { Deployments } from '../../deployments/index.ts'
import type { Metrics } from '../../metrics/index.ts'
import type { Configurations } from '../library/configurations.ts'
import { bucketSecondsOf, filledBuckets } from './buckets.ts'

interface PanelSources {
  log: Logger
  rights: Rights
  apps: Pick<Apps, 'countsByState'>
  deployments: Pick<Deployments, 'outcomes'>
  clusters: Pick<Clusters, 'list' | 'eventsOfSpace' | 'quotaOfSpace'>
  metrics: Pick<Metrics, 'ofSpace'>
  configurations: Pick<Configurations, 'get'>
}
type Range = PanelQuery['range']
type SpecOf<K extends Plugin['kind']> = Extract<Plugin, { kind: K }>['spec']
type Read<K extends Plugin['kind']> = (actor: Actor, spec: SpecOf<K>, range: Range) => Promise<PanelData>

const mostEvents = 100

/** A panel shows nothing, for a reason that its viewer can do something about. */
class NotShown extends Error {
  readonly status: 'hidden' | 'incomplete'
  constructor(status: 'hidden' | 'incomplete', message: string) {
    super(message)
    this.status = status
  }
}

/** Answers panels, each as the caller sees what it is about: a dashboard gives nobody a right to what it shows. */
export function createPanels(sources: PanelSources) {
  const reads: { [K in Plugin['kind']]?: Read<K> } = {
    ...createLedgerReads(sources),
    ...createClusterReads(sources),
    async Links(actor, { links, configurationId }) {
      if (configurationId === undefined) return { kind: 'Links', links }
      const found = await sources.configurations.get(actor, configurationId).catch((error: unknown) => {
        if (error instanceof Failure && error.status === 404) throw hidden('You cannot see the links of this panel.')
        throw error
      })
      return { kind: 'Links', links: [...links, ...(Array.isArray(found.value) ? found.value.flatMap(asLink) : [])] }
    },
  }

  return async function frame(actor: Actor, key: string, panel: Panel, range: Range): Promise<PanelFrame> {
    const { plugin } = panel.spec
    const read = reads[plugin.kind] as Read<Plugin['kind']> | undefined
    try {
      if (!read) throw new NotShown('incomplete', 'This panel asks for no data.')
      const data = await read(actor, plugin.spec as never, range)
      return { key, status: 'ok', data, at: new Date().toISOString() }
    } catch (error) {
      if (error instanceof NotShown) return { key, status: error.status, message: error.message }
      if (error instanceof Failure) return { key, status: 'failed', message: error.message }
      sources.log.warn({ err: error, kind: plugin.kind }, 'a panel could not be read')
      return { key, status: 'failed', message: 'This panel could not be read. Try again in a moment.' }
    }
  }
}

const hidden = (message: string) => new NotShown('hidden', message)
const asLink = (value: object) => ('url' in value && 'name' in value ? [value as { name: string; url: string }] : [])

/** The viewer's scopes in a space. Refuses one in which they do not hold the scope in the words for one that is not there. */
async function mustSee(rights: Rights, actor: Actor, spaceId: string | undefined, scope: 'space.view' | 'app.view') {
  if (spaceId === undefined) return undefined
  const place = await rights.find(actor, 'space', spaceId)
  if (!place?.scopes.has(scope)) throw hidden('You cannot see the space of this panel.')
  return place.scopes
}

function createLedgerReads({ rights, apps, deployments }: PanelSources): {
  AppStates: Read<'AppStates'>
  Deployments: Read<'Deployments'>
} {
  return {
    async AppStates(actor, { spaceId }) {
      await mustSee(rights, actor, spaceId, 'app.view')
      const states = await apps.countsByState(actor.tenantId, rights.condition(actor, 'app.view'), spaceId)
      return { kind: 'AppStates', states, total: states.reduce((sum, { count }) => sum + count, 0) }
    },
    async Deployments(actor, { spaceId }, range) {
      await mustSee(rights, actor, spaceId, 'app.view')
      const [from, to] = [new Date(range.from), new Date(range.to)]
      const seconds = bucketSecondsOf(to.getTime() - from.getTime())
      const reader = readerOf(actor, rights.condition(actor, 'app.view'))
      const found = await deployments.outcomes(reader, { from, to, spaceId, seconds })
      return { kind: 'Deployments', bucketSeconds: seconds, buckets: filledBuckets(found, { from, to, seconds }) }
    },
  }
}

function createClusterReads({ rights, clusters, metrics }: PanelSources): {
  Events: Read<'Events'>
  Usage: Read<'Usage'>
  SpaceQuota: Read<'SpaceQuota'>
  ClusterMap: Read<'ClusterMap'>
} {
  return {
    async Events(actor, { spaceId, type }, { from, to }) {
      if (spaceId === undefined) throw new NotShown('incomplete', 'Choose a space in the settings of this panel.')
      const scopes = await mustSee(rights, actor, spaceId, 'app.view')
      const { found, missing } = await clusters.eventsOfSpace(
        actor.tenantId,
        spaceId,
        scopes?.has('app.secrets') === true,
      )
      const [first, last] = [Date.parse(from), Date.parse(to)]
      const isIn = (at: string) => Date.parse(at) >= first && Date.parse(at) <= last
      const events = found.filter((event) => isIn(event.at) && (type === undefined || event.type === type))
      return { kind: 'Events', events: events.slice(0, mostEvents), missing }
    },
    async Usage(actor, { spaceId, resource }, range) {
      if (spaceId === undefined) throw new NotShown('incomplete', 'Choose a space in the settings of this panel.')
      await mustSee(rights, actor, spaceId, 'app.view')
      return { kind: 'Usage', resource, usage: await metrics.ofSpace(actor.tenantId, spaceId, range, resource) }
    },
    async SpaceQuota(actor, { spaceId }) {
      if (spaceId === undefined) throw new NotShown('incomplete', 'Choose a space in the settings of this panel.')
      await mustSee(rights, actor, spaceId, 'space.view')
      const { found, missing } = await clusters.quotaOfSpace(actor.tenantId, spaceId)
      return { kind: 'SpaceQuota', quotas: found, missing }
    },
    async ClusterMap(actor) {
      if (!holdsAny(actor, [role('clusters', 'clusters.view')]))
        throw hidden('You cannot see clusters. The role clusters.view lets you.')
      const query = { filters: {}, sort: {}, page: { skip: 0, limit: 1000 } }
      const counted = { apps: rights.condition(actor, 'app.view'), spaces: rights.condition(actor, 'space.view') }
      const { data } = await clusters.list(actor.tenantId, query, '', counted)
      const shown = data.map(({ id, displayName, health, nodes, capacity, requested }) => ({
        ...{ id, displayName, health, nodes, capacity, requested },
      }))
      return { kind: 'ClusterMap', clusters: shown }
    },
  }
}
