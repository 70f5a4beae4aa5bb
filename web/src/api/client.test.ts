import { apps } from '@quayside/contract/apps/endpoints'
import { catalog } from '@quayside/contract/catalog/endpoints'
import { deployments } from '@quayside/contract/deployments/endpoints'
import { spaces } from '@quayside/contract/spaces/endpoints'
import { expect, it } from 'vitest'
import type { Api } from '../lib/api/api.ts'
import { call, stream, upload } from './client.ts'

function recording() {
  const sent: unknown[][] = []
  const note =
    (kind: string) =>
    async (...what: unknown[]) => {
      sent.push([kind, ...what])
    }
  return { sent, api: { send: note('send'), upload: note('upload'), stream: note('stream') } as unknown as Api }
}

it('an endpoint and its input become a call', async () => {
  const { api, sent } = recording()
  const { signal } = new AbortController()
  await call(api, catalog.listItems, { query: { filters: { type: 'App', category: undefined } }, signal })
  await call(api, deployments.revision, { params: { appId: 'a/b', revision: 3 } })
  await call(api, spaces.createSpace, { body: { displayName: 'Shop' } })
  await call(api, deployments.cancelAction, { params: { id: 'x1' }, headers: { 'idempotency-key': 'k' } })
  expect(sent).toEqual([
    ['send', 'GET', '/catalog/v2/items', { query: { filters: { type: 'App', category: undefined } }, signal }],
    ['send', 'GET', '/deployment/v1/helm/deployment/revision/a%2Fb/3', {}],
    ['send', 'POST', '/portal-api/v3/spaces', { body: { displayName: 'Shop' } }],
    ['send', 'POST', '/deployment/v1/actions/x1/cancel', { headers: { 'idempotency-key': 'k' } }],
  ])
})

it('files and streams go where their endpoints are', async () => {
  const { api, sent } = recording()
  const file = new File(['x'], 'chart.tgz')
  await upload(api, catalog.upload, { file })
  await stream(api, catalog.repositoryChart, { params: { file: 'a b.tgz' } })
  expect(sent).toEqual([
    ['upload', '/catalog/v1/upload/uploadasync', { file }],
    ['stream', '/catalog/v1/repository/charts/a%20b.tgz', {}, 'GET'],
  ])
})

/** The compiler is the test: each line below would not compile without its marker. */
export function refusedByTheCompiler(api: Api) {
  // @ts-expect-error a parameter is missing
  void call(api, catalog.getItem)
  // @ts-expect-error a parameter has another name
  void call(api, catalog.getItem, { params: { itemId: 'x' } })
  // @ts-expect-error the endpoint takes no body
  void call(api, catalog.getItem, { params: { id: 'x' }, body: {} })
  // @ts-expect-error the endpoint takes no query
  void call(api, catalog.getItem, { params: { id: 'x' }, query: {} })
  // @ts-expect-error the body has no such field
  void call(api, spaces.createSpace, { body: { displayName: 'Shop', owner: 'x' } })
  // @ts-expect-error lists have no such part
  void call(api, catalog.listItems, { query: { serch: 'x' } })
  // @ts-expect-error an app has no such field
  void call(api, apps.getApp, { params: { id: 'x' } }).then(({ nickname }) => nickname)
}
