import { readFileSync } from 'node:fs'
import type { App } from '@quayside/contract/apps/endpoints'
import type { CatalogChild } from '@quayside/contract/catalog/endpoints'
import { type Allocations, costAllocation } from '@quayside/contract/cost/allocation'
import { costEstimate, type Estimate } from '@quayside/contract/cost/estimate'
import { type ClusterPrices, costPrices, type PriceSheetInput, type Rate } from '@quayside/contract/cost/prices'
import type { Accepted } from '@quayside/contract/deployments/endpoints'
import type { ErrorReply } from '@quayside/contract/http/errors'
import { pathOf } from '@quayside/contract/http/path'
import type { Space } from '@quayside/contract/spaces/endpoints'
import { signInAsPerson } from '@quayside/embedded/person-tokens'
import { deploymentTemplate } from '@quayside/embedded/story/small-chart'
import { createStory, deployDataOf, metadataOf, type Story } from '@quayside/embedded/story/story'
import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'

const prices: PriceSheetInput = {
  ...{ currency: 'USD', coreHour: 0.04, memoryGibHour: 0.01, loadBalancerHour: null, overheadHour: 0.1 },
  storage: [{ storageClass: null, gibMonth: 0.1 }],
}
const resources = 'resources: { requests: { cpu: 250m, memory: 512Mi } }'

let world: World
let admin: Story
let viewer: Story
let stranger: Story
let space: Space
let child: CatalogChild
let app: App

beforeAll(async () => {
  world = await World.start({ cluster: { speed: 20 }, metrics: { everySeconds: 1 } })
  const [first, second, third] = await Promise.all([
    world.tokenFor({ realmRoles: ['quayside-admin'] }),
    world.tokenFor({ realmRoles: ['quayside-member'] }),
    world.tokenFor({ realmRoles: ['quayside-member'] }),
  ])
  admin = createStory(world, first)
  viewer = createStory(world, second)
  stranger = createStory(world, third)
  space = await admin.space('Ours', readFileSync(world.kubeconfig, 'utf8'))
  await admin.good(`/portal-api/v3/spaces/${space.id}/permissions`, {
    body: { principal: { type: 'user', id: viewer.userId }, role: 'viewer' },
  })
  child = await admin.uploadSmall('shop', '1.0.0', {
    'templates/deployment.yaml': deploymentTemplate(resources),
    'templates/refusal.yaml': '{{ if eq (int .Values.replicas) 4 }}{{ fail "four are not possible" }}{{ end }}',
  })
  app = await admin.assign(space, child)
})
afterAll(() => world?.close())

const clusterId = () => space.clusters[0]?.id ?? ''
const pricesPath = () => pathOf(costPrices.getPrices, { id: clusterId() })
const set = <T = ClusterPrices>(body: unknown) => admin.call<T>(pricesPath(), { method: 'PUT', body })
const estimate = <T = Estimate>(who: Story, yaml: string) =>
  who.call<T>(pathOf(costEstimate.estimate), {
    body: { versionId: child.version.id, appMetadata: metadataOf(app, space), yaml },
  })
const estimated = async (yaml: string) => (await estimate(admin, yaml)).body

const allocated = (who: Story, query: string) => who.call<Allocations>(`${pathOf(costAllocation.allocation)}?${query}`)

describe('a call is refused', () => {
  test('to who is not signed in (401), has not the role (403) or does not see the app (404)', async () => {
    for (const path of [pricesPath(), pathOf(costPrices.getRates)]) expect((await world.api(path)).status).toBe(401)
    expect((await world.api(pathOf(costEstimate.estimate), { method: 'POST', body: {} })).status).toBe(401)
    expect((await viewer.call(pricesPath())).status).toBe(403)
    expect((await viewer.call(pricesPath(), { method: 'PUT', body: prices })).status).toBe(403)
    expect((await viewer.call(pathOf(costPrices.setRates), { method: 'PUT', body: { data: [] } })).status).toBe(403)
    expect((await estimate(viewer, '')).status).toBe(403)
    expect(await estimate<ErrorReply>(stranger, '')).toMatchObject({ status: 404, body: { code: 'app.not-found' } })
  })

  test.each([
    ['coreHour', { coreHour: -1 }],
    ['coreHour', { coreHour: '1' }],
    ['memoryGibHour', { memoryGibHour: 1e9 }],
    ['currency', { currency: 'euro' }],
    ['storage', { storage: [prices.storage[0], prices.storage[0]] }],
    ['storage.0.gibMonth', { storage: [{ storageClass: 'a', gibMonth: null }] }],
    ['validFrom', { validFrom: 'tomorrow' }],
  ])('for prices that are none: %s (400)', async (field, change) => {
    const refused = await set<ErrorReply>({ ...prices, ...change })
    expect(refused).toMatchObject({ status: 400, body: { code: 'request.invalid', field } })
  })

  test.each([
    ['data.0.perEuro', { currency: 'USD', perEuro: 0, asOf: '2031-05-01' }],
    ['data.0.asOf', { currency: 'USD', perEuro: 1, asOf: '2031-05' }],
    ['data.0.currency', { currency: 'EUR', perEuro: 1, asOf: '2031-05-01' }],
  ])('for rates that are none: %s (400)', async (field, rate) => {
    const path = pathOf(costPrices.setRates)
    const refused = await admin.call<ErrorReply>(path, { method: 'PUT', body: { data: [rate] } })
    expect(refused).toMatchObject({ status: 400, body: { code: 'request.invalid', field } })
  })

  test('for an allocation of no time (400), or of what is idle without the role (403)', async () => {
    expect((await world.api(pathOf(costAllocation.allocation))).status).toBe(401)
    for (const [query, field] of [
      ['window=soon', 'window'],
      ['window=300d', 'window'],
      ['aggregate=pod', 'aggregate'],
      ['shareIdle=some', 'shareIdle'],
      ['includeIdle=true&spaceId=any', 'includeIdle'],
    ])
      expect(await allocated(admin, query ?? ''), query).toMatchObject({ status: 400, body: { field } })
    for (const query of ['includeIdle=true', 'shareIdle=even'])
      expect((await allocated(viewer, query)).status, query).toBe(403)
  })

  test('for a cluster that is not there (404)', async () => {
    const path = pathOf(costPrices.setPrices, { id: 'nobody' })
    const refused = await admin.call<ErrorReply>(path, { method: 'PUT', body: prices })
    expect(refused).toMatchObject({ status: 404, body: { code: 'cluster.not-found' } })
  })
})

test('prices, an estimate, a deployment and the difference of its upgrade', { timeout: 90_000 }, async () => {
  // Without prices there is an estimate of amounts, and no price.
  expect(await estimated('replicas: 2\n')).toMatchObject({
    ...{ currency: null, monthly: null, delta: null, unpriced: [] },
    lines: [
      { object: expect.stringContaining('Deployment'), resource: 'cpu', amount: { expected: 0.5 }, monthly: null },
      { resource: 'memory', amount: { expected: 1 }, monthly: null },
    ],
  })
  expect((await set(prices)).body).toMatchObject({
    clusterId: clusterId(),
    data: [{ ...prices, createdBy: expect.any(String) }],
  })
  const perMonth = (0.5 * 0.04 + 1 * 0.01) * 730
  expect(await estimated('replicas: 2\n')).toMatchObject({
    ...{ currency: 'USD', delta: null, rate: null, missingRate: null, problem: null },
    monthly: { low: expect.closeTo(perMonth), expected: expect.closeTo(perMonth), high: expect.closeTo(perMonth) },
  })

  const deployData = deployDataOf(app, space, child, 'replicas: 2\n')
  const releaseName = await admin.releaseName(app, 'shop')
  const { body } = await admin.post<Accepted>('Deploy', {
    appId: app.id,
    versionId: child.version.id,
    deployData,
    releaseName,
  })
  expect(await admin.ended(body.actionId)).toMatchObject({ state: 'Success' })
  expect(await estimated('replicas: 3\n')).toMatchObject({ delta: { expected: expect.closeTo(perMonth / 2) } })
  expect(await estimated('replicas: 1\n')).toMatchObject({ delta: { expected: expect.closeTo(-perMonth / 2) } })
  expect(await estimated('replicas: 4\n')).toMatchObject({
    monthly: null,
    problem: expect.stringContaining('four are not possible'),
  })
})

test('the past keeps its prices, and what is planned can be changed', async () => {
  await set(prices)
  const before = new Date(Date.now() - 60_000).toISOString()
  expect(await set<ErrorReply>({ ...prices, validFrom: before })).toMatchObject({
    status: 409,
    body: { code: 'cost.past-prices', field: 'validFrom' },
  })
  const validFrom = new Date(Date.now() + 3_600_000).toISOString()
  await set({ ...prices, coreHour: 5, validFrom })
  const { data } = (await set({ ...prices, coreHour: 6, validFrom })).body
  expect(data.filter((sheet) => sheet.validFrom === validFrom)).toMatchObject([{ coreHour: 6 }])
  // A planned sheet does not count yet.
  expect(await estimated('replicas: 1\n')).toMatchObject({
    monthly: { expected: expect.closeTo((0.25 * 0.04 + 0.5 * 0.01) * 730) },
  })
})

test('amounts are shown in the currency of the person, with the date of the rate', async () => {
  const rates = async (data: unknown) =>
    (await admin.good<{ data: Rate[] }>(pathOf(costPrices.setRates), { method: 'PUT', body: { data } })).data
  const person = await world.personWith({ realmRoles: ['quayside-admin'] })
  const paid = createStory(world, (await signInAsPerson(world, person)).access_token)
  const choose = (currency: string) => paid.good('/portal-api/v0/currency', { method: 'PUT', body: { currency } })
  const seen = async () => (await estimate(paid, 'replicas: 1\n')).body
  await choose('CHF')
  expect(await seen()).toMatchObject({ currency: 'USD', rate: null, missingRate: 'CHF' })
  expect(
    await rates([
      { currency: 'USD', perEuro: 2, asOf: '2020-05-01' },
      { currency: 'CHF', perEuro: 1, asOf: '2020-05-02' },
    ]),
  ).toHaveLength(2)
  expect(await seen()).toMatchObject({
    currency: 'CHF',
    monthly: { expected: expect.closeTo(((0.25 * 0.04 + 0.5 * 0.01) * 730) / 2) },
    rate: { from: 'USD', asOf: '2020-05-01', isOld: true },
  })
  expect(await rates([])).toEqual([])
})

test('what an app takes is measured and priced, for those who see its space', { timeout: 90_000 }, async () => {
  const query = 'window=24h&aggregate=app&accumulate=true'
  await vi.waitFor(
    async () => {
      const { body } = await allocated(viewer, query)
      expect(body).toMatchObject({ code: 200, currency: 'USD', isMeasured: true })
      const found = body.data[0]?.[app.id]
      expect(found?.minutes).toBeGreaterThan(0)
      // Two copies of 250m and 512Mi, more where they use more.
      expect(found?.cpuCoreRequestAverage).toBeCloseTo(0.5, 1)
      expect(found?.cpuCost).toBeGreaterThanOrEqual(((found?.minutes ?? 0) / 60) * 0.5 * 0.04 * 0.9)
    },
    { timeout: 60_000, interval: 500 },
  )
  const days = (await allocated(viewer, 'window=48h&aggregate=space')).body.data
  expect(days.length).toBeGreaterThanOrEqual(3)
  expect(days.at(-1)?.[space.id]).toMatchObject({ properties: { displayName: 'Ours', namespace: space.namespace } })
  // Nothing of it for somebody who sees none of its apps.
  for (const aggregate of ['app', 'space', 'namespace', 'cluster'])
    expect((await allocated(stranger, `window=24h&accumulate=true&aggregate=${aggregate}`)).body).toMatchObject({
      currency: null,
      data: [{}],
    })
  for (const narrowed of [`spaceId=${space.id}`, `appId=${app.id}`, `clusterId=${clusterId()}`])
    expect((await allocated(stranger, `window=24h&accumulate=true&${narrowed}`)).body.data, narrowed).toEqual([{}])
  const whole = (await allocated(admin, 'window=24h&accumulate=true&aggregate=space&includeIdle=true')).body.data[0]
  expect(whole?.__idle__?.totalCost).toBeGreaterThan(whole?.[space.id]?.totalCost ?? 0)
  const shared = (await allocated(admin, 'window=24h&accumulate=true&aggregate=space&shareIdle=even')).body.data[0]
  expect(shared?.[space.id]?.sharedCost).toBeGreaterThan(0)
  const otherTenant = (await allocated(admin, 'window=24h&accumulate=true&clusterId=nobody')).body
  expect(otherTenant).toMatchObject({ currency: null, data: [{}] })
})
