import { afterAll, beforeAll, expect, test } from 'vitest'
import { configMap, type TestCluster, testCluster } from '../../cluster.test-support.ts'

let api: TestCluster
beforeAll(async () => {
  api = await testCluster()
})
afterAll(() => api[Symbol.asyncDispose]())

const MAPS = '/api/v1/namespaces/default/configmaps'
type Line = {
  type: string
  object: { metadata: { name: string; annotations?: Record<string, string> }; code?: number }
}
const short = (lines: Line[]) => lines.map(({ type, object }) => `${type} ${object.metadata.name}`)

test('a watch starts with what is there and says when that is all', async () => {
  await api.call('POST', MAPS, { body: configMap('seen', {}, { labels: { w: '1' } }) })
  const query =
    'watch=true&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan&labelSelector=w=1'
  const lines: Line[] = await api.watch(`${MAPS}?${query}`, (all) => all.some(({ type }) => type === 'BOOKMARK'))
  expect(short(lines.slice(0, 1))).toEqual(['ADDED seen'])
  expect(lines[1]?.object.metadata.annotations).toEqual({ 'k8s.io/initial-events-end': 'true' })
})

test('from a version on it shows what came after, as the selector sees it', async () => {
  const { resourceVersion } = (await api.call('GET', MAPS)).body.metadata
  const type = 'application/merge-patch+json'
  const label = (value: string | null) => ({ metadata: { labels: { colour: value } } })
  await api.call('POST', MAPS, { body: configMap('changing') })
  await api.call('PATCH', `${MAPS}/changing`, { type, body: label('red') })
  await api.call('PATCH', `${MAPS}/changing`, { type, body: { data: { a: '1' } } })
  await api.call('PATCH', `${MAPS}/changing`, { type, body: label(null) })
  const path = `${MAPS}?watch=true&resourceVersion=${resourceVersion}&labelSelector=colour=red`
  const lines: Line[] = await api.watch(path, (all) => all.length >= 3)
  expect(short(lines)).toEqual(['ADDED changing', 'MODIFIED changing', 'DELETED changing'])
})

test('a version that is forgotten is answered with 410', async () => {
  const lines: Line[] = await api.watch(`${MAPS}?watch=true&resourceVersion=1`, (all) => all.length > 0)
  const [expired] = lines
  // Right after the start nothing is forgotten but what was before it.
  expect(expired).toMatchObject({ type: expect.stringMatching(/ADDED|ERROR/) })
  await api.restart()
  const again: Line[] = await api.watch(`${MAPS}?watch=true&resourceVersion=1`, (all) => all.length > 0)
  expect(again[0]).toMatchObject({ type: 'ERROR', object: { code: 410, reason: 'Expired' } })
})

test('a watch ends when its time is over', async () => {
  const started = Date.now()
  const lines = await api.watch(
    `${MAPS}?watch=true&timeoutSeconds=1&resourceVersion=${api.cluster.store.resourceVersion}`,
    () => false,
  )
  expect(lines).toEqual([])
  expect(Date.now() - started).toBeGreaterThan(900)
})
