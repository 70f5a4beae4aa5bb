import type { Allocation, AllocationQuery, Allocations } from '@quayside/contract/cost/allocation'
import { type Actor, holds } from '../../../platform/auth/actor.ts'
import { forbidden, type SpaceCondition } from '../../../platform/auth/rights.ts'
import { fail } from '../../../platform/http/errors.ts'
import type { Apps } from '../../apps/index.ts'
import type { Clusters } from '../../clusters/index.ts'
import type { Spaces } from '../../spaces/index.ts'
import { shownIn } from '../prices/money.ts'
import type { PriceStore } from '../prices/store.ts'
import { allocate, type LedgerSum } from './allocate.ts'
import type { LedgerRow, LedgerStore } from './store.ts'
import { setsOf, type Window, windowOf } from './window.ts'

interface AllocationDeps {
  ledger: LedgerStore
  prices: Pick<PriceStore, 'sheets' | 'rates'>
  isMeasured: boolean
  currencyOf(actor: Actor): Promise<string | null>
  clusters: Pick<Clusters, 'names'>
  spaces: Pick<Spaces, 'named'>
  apps: Pick<Apps, 'byIds'>
}
/** Sets of one answer: each is read by itself. */
const mostSets = 93
type Properties = Allocation['properties']
type Named = { name: string; properties: Properties }
type Given = AllocationQuery

/** Costs of spaces that lie where the caller sees no apps, in answers about whole clusters. */
const others: Named = { name: '__others__', properties: { displayName: 'Other spaces' } }

/** Allocations of cost, from the ledger of hours and the prices of their time. */
export function createAllocations(deps: AllocationDeps) {
  const { ledger, prices, isMeasured, currencyOf } = deps

  return async function allocation(
    actor: Actor,
    query: Given,
    within: SpaceCondition | undefined,
  ): Promise<Allocations> {
    const { tenantId } = actor
    const sharing = { includeIdle: query.includeIdle === 'true', shareIdle: query.shareIdle }
    const seesClusters = sharing.includeIdle || sharing.shareIdle !== 'false'
    if (seesClusters && !holds(actor, 'clusters', 'clusters.view'))
      throw forbidden([{ section: 'clusters', role: 'clusters.view' }])
    if (seesClusters && (query.spaceId !== undefined || query.appId !== undefined))
      throw fail('request.invalid', {
        field: 'includeIdle',
        message: 'includeIdle: what is idle belongs to whole clusters; leave spaceId and appId out',
      })
    const window = windowOf(query.window)
    if (!window) throw fail('request.invalid', { field: 'window', message: 'window: not a time of at most 400 days' })
    const sets = setsOf(window, query.accumulate === 'true')
    if (sets.length > mostSets)
      throw fail('request.invalid', {
        field: 'window',
        message: `window: at most ${mostSets} days, or accumulate=true`,
      })
    const read: LedgerRow[][] = []
    for (const set of sets) read.push(await ledger.sums(tenantId, set, query, within))
    // A whole cluster tells of its prices: somebody who sees none of its spaces learns nothing of it.
    const shown = seesClusters
      ? read
      : read.map((rows) => rows.filter(({ isSeen, spaceId }) => isSeen && spaceId !== ''))
    const money = await moneyOf({ prices, currencyOf }, actor, shown.flat())
    const nameOf = await namesOf(deps, tenantId, shown.flat(), query.aggregate)
    return {
      code: 200,
      isMeasured,
      data: sets.map((set, at) => allocate((shown[at] ?? []).map(money.priced), nameOf, set as Window, sharing)),
      measuredMinutes: read.map(measuredIn),
      ...{ currency: money.currency, rates: money.rates, missingRate: money.missingRate },
    }
  }
}

/** The longest time that any of the clusters was measured. */
function measuredIn(rows: readonly LedgerRow[]): number {
  const times = rows.filter(({ spaceId, resource }) => spaceId === '' && resource === 'time')
  const hours = [...Map.groupBy(times, ({ clusterId }) => clusterId).values()].map((group) =>
    group.reduce((sum, { amount }) => sum + amount, 0),
  )
  return Math.max(0, ...hours) * 60
}

type Sum = LedgerSum & { isSeen: boolean }

/** One currency for all amounts of an answer, and what turns each sheet's prices into it. */
async function moneyOf(
  { prices, currencyOf }: Pick<AllocationDeps, 'prices' | 'currencyOf'>,
  actor: Actor,
  rows: readonly LedgerRow[],
) {
  const clusterIds = [...new Set(rows.map(({ clusterId }) => clusterId))]
  const [sheets, rates, wanted] = await Promise.all([
    prices.sheets(actor.tenantId, clusterIds),
    prices.rates(actor.tenantId),
    currencyOf(actor),
  ])
  const used = rows.flatMap(({ clusterId, pricesFrom }) =>
    pricesFrom === null ? [] : sheets.filter((one) => one.clusterId === clusterId && one.validFrom === pricesFrom),
  )
  const currencies = [...new Set(used.map(({ currency }) => currency))]
  const into = (target: string | null) => new Map(currencies.map((code) => [code, shownIn(target, code, rates)]))
  let ways = into(wanted)
  const missing = [...ways.values()].find(({ missingRate }) => missingRate !== null)
  // Where the person's currency cannot be had for all, one that can be had for most: that of the prices.
  if (wanted === null || missing) ways = into(currencies[0] ?? null)
  const target = wanted === null || missing ? (currencies[0] ?? null) : wanted
  return {
    currency: target,
    missingRate: missing?.missingRate ?? null,
    rates: [...ways.values()].flatMap(({ rate }) => rate ?? []),
    priced: (row: LedgerRow): Sum => {
      const sheet = sheets.find((one) => one.clusterId === row.clusterId && one.validFrom === row.pricesFrom)
      const way = sheet && ways.get(sheet.currency)
      return { ...row, prices: sheet, factor: way?.currency === target ? way?.factor : undefined }
    },
  }
}

/** Names of what costs are added up by; what is gone keeps its id. */
async function namesOf(
  { clusters, spaces, apps }: Pick<AllocationDeps, 'clusters' | 'spaces' | 'apps'>,
  tenantId: string,
  rows: readonly LedgerRow[],
  by: Given['aggregate'],
) {
  const ids = (of: (row: LedgerRow) => string) => [...new Set(rows.map(of))].filter((id) => id !== '')
  const [clusterNames, knownSpaces, knownApps] = await Promise.all([
    clusters.names(tenantId),
    spaces.named(
      tenantId,
      ids(({ spaceId }) => spaceId),
    ),
    by === 'app'
      ? apps.byIds(
          tenantId,
          ids(({ appId }) => appId),
        )
      : [],
  ])
  const appNames = new Map(knownApps.map(({ id, displayName }) => [id, displayName]))
  return (row: LedgerSum): Named => {
    if ('isSeen' in row && row.isSeen === false) return others
    const { clusterId, spaceId, appId } = row
    const cluster = { cluster: clusterId }
    const space = knownSpaces.get(spaceId)
    if (by === 'cluster')
      return named(clusterId, { ...cluster, displayName: clusterNames.get(clusterId)?.displayName ?? clusterId })
    const ofSpace = { ...(space ? { namespace: space.namespace } : {}), space: spaceId }
    const displayName = space?.displayName ?? spaceId
    if (by === 'namespace') return named(space?.namespace ?? spaceId, { ...ofSpace, displayName })
    if (by === 'space') return named(spaceId, { ...ofSpace, displayName })
    if (appId === '') return named(`${spaceId}/__unallocated__`, { ...ofSpace, displayName: 'Not part of an app' })
    return named(appId, { ...ofSpace, app: appId, displayName: appNames.get(appId) ?? appId })
  }
}

const named = (name: string, properties: Properties): Named => ({ name, properties })
