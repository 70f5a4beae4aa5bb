import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import type { CatalogItem, UploadReply } from '@quayside/contract/catalog/endpoints'
import type { ErrorReply } from '@quayside/contract/http/errors'
import type { ListReply } from '@quayside/contract/http/paging'
import { World } from '@quayside/embedded/world'
import tar from 'tar-stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let world: World
let viewer: string
let publisher: string

beforeAll(async () => {
  world = await World.start({ cluster: false })
  viewer = await world.tokenFor({ clientRoles: { 'quayside-portal-ui-catalog-apps': ['catalog.view'] } })
  publisher = await world.tokenFor({
    clientRoles: { 'quayside-portal-ui-catalog-apps': ['catalog.view', 'catalog.publish'] },
  })
})
afterAll(() => world?.close())

async function chart(name: string, version: string, more: { yaml?: string; files?: Record<string, string> } = {}) {
  const archive = tar.pack()
  const bytes = buffer(archive)
  const files = {
    'Chart.yaml': `apiVersion: v2\nname: ${name}\nversion: ${version}\n${more.yaml ?? ''}`,
    'values.yaml': 'replicas: 1\n',
    ...more.files,
  }
  for (const [path, body] of Object.entries(files)) archive.entry({ name: `${name}/${path}` }, body)
  archive.finalize()
  return gzipSync(await bytes)
}

function upload(token: string | undefined, bytes: Uint8Array, field = 'file') {
  const form = new FormData()
  form.append(field, new Blob([Buffer.from(bytes)]), 'chart.tgz')
  return world.api('/catalog/v1/upload/uploadasync', { method: 'POST', token, body: form })
}

async function uploaded(name: string, version: string, more?: Parameters<typeof chart>[2]): Promise<UploadReply> {
  const answer = await upload(publisher, await chart(name, version, more))
  expect(answer.status).toBe(201)
  return (await answer.json()) as UploadReply
}

async function read<T>(path: string, token = viewer): Promise<T> {
  const answer = await world.api(`/catalog${path}`, { token })
  expect(answer.status, path).toBe(200)
  return (await answer.json()) as T
}

describe('the catalog refuses', () => {
  it('who is not signed in (401) or has not the role (403)', async () => {
    expect((await world.api('/catalog/v2/items')).status).toBe(401)
    expect((await upload(undefined, await chart('a', '1.0.0'))).status).toBe(401)
    expect((await upload(viewer, await chart('a', '1.0.0'))).status).toBe(403)
    expect((await world.api('/catalog/v2/items', { token: await world.tokenFor() })).status).toBe(403)
  })

  it('queries it does not know and packages it cannot use (400), naming the field', async () => {
    for (const [query, field] of [
      ['sort.tenant_id=ASC', 'sort.tenant_id'],
      ['filters.secret=x', 'filters.secret'],
    ]) {
      const answer = await world.api(`/catalog/v2/items?${query}`, { token: viewer })
      expect(answer.status).toBe(400)
      expect(((await answer.json()) as ErrorReply).field).toBe(field)
    }
    const broken = await upload(publisher, Buffer.from('not a chart at all, only words'))
    expect(broken.status).toBe(400)
    expect(await broken.json()).toMatchObject({
      success: false,
      error: 'catalog.package-refused',
      field: 'file',
      message: expect.stringContaining('gzip'),
    })
    expect((await upload(publisher, await chart('a', '1.0.0'), 'other')).status).toBe(400)
    const json = await world.api('/catalog/v1/upload/uploadasync', { token: publisher, body: {} })
    expect([400, 415]).toContain(json.status)
  })

  it('a package over 10 MiB (413) and ids it does not know (404)', async () => {
    const large = await upload(publisher, Buffer.concat([await chart('a', '1.0.0'), Buffer.alloc(10 * 1024 * 1024, 7)]))
    expect(large.status).toBe(413)
    for (const path of [
      '/v2/items/unknown',
      '/v2/items/byname/unknown',
      '/v2/versions/unknown',
      '/v2/versions/bycatalogapp/unknown',
    ]) {
      expect((await world.api(`/catalog${path}`, { token: viewer })).status, path).toBe(404)
    }
  })
})

describe('a chart in the catalog', () => {
  it('is uploaded, shown, found, featured, pulled and deleted', async () => {
    const first = await uploaded('web-shop', '1.2.0', {
      yaml: 'description: Sells things\nkeywords: [retail]\nhome: https://shop.example\n',
      files: { 'README.md': '# Shop', 'values.schema.json': '{"type":"object"}' },
    })
    expect(first).toMatchObject({ success: true, name: 'web-shop', version: '1.2.0', unchanged: false })

    const item = await read<CatalogItem>('/v2/items/byname/web-shop')
    expect(item).toMatchObject({
      displayName: 'Web Shop',
      latestVersion: '1.2.0',
      manufacturer: { name: 'shop.example' },
    })
    expect(await read(`/v2/versions/${first.versionId}`)).toMatchObject({
      readme: '# Shop',
      valuesYaml: 'replicas: 1\n',
      valuesSchema: { type: 'object' },
    })

    const again = await upload(
      publisher,
      await chart('web-shop', '1.2.0', {
        yaml: 'description: Sells things\nkeywords: [retail]\nhome: https://shop.example\n',
        files: { 'values.schema.json': '{"type":"object"}', 'README.md': '# Shop' },
      }),
    )
    expect(await again.json()).toMatchObject({ unchanged: true, versionId: first.versionId })
    const changed = await upload(publisher, await chart('web-shop', '1.2.0', { yaml: 'description: Other' }))
    expect(changed.status).toBe(409)

    await uploaded('web-shop', '1.10.0')
    await uploaded('web-shop', '2.0.0-beta.1')
    await uploaded('web-shop', '1.9.0')
    const versions = await read<ListReply<{ version: string }>>(`/v2/versions/bycatalogitem/${item.id}`)
    expect(versions.data.map(({ version }) => version)).toEqual(['2.0.0-beta.1', '1.10.0', '1.9.0', '1.2.0'])
    expect(await read('/v2/items/byname/web-shop')).toMatchObject({ latestVersion: '1.10.0', versionCount: 4 })

    const index = await world.api('/catalog/v1/repository/index.yaml', { token: viewer })
    expect(await index.text()).toContain('web-shop-1.10.0.tgz')
    const pulled = await world.api('/catalog/v1/repository/charts/web-shop-1.10.0.tgz', { token: viewer })
    expect(Buffer.from(await pulled.arrayBuffer()).subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]))

    const gone = await world.api(`/catalog/v2/items/${item.id}`, { method: 'DELETE', token: publisher })
    expect(gone.status).toBe(204)
    expect((await world.api(`/catalog/v2/items/${item.id}`, { token: viewer })).status).toBe(404)
    expect((await world.api(`/catalog/v2/versions/${first.versionId}`, { token: viewer })).status).toBe(404)
  })

  it('takes one file at a time, and the same chart sent twice at once is there once', async () => {
    const bytes = await chart('twice', '1.0.0')
    const form = new FormData()
    for (const name of ['a.tgz', 'b.tgz']) form.append('file', new Blob([Buffer.from(bytes)]), name)
    const two = await world.api('/catalog/v1/upload/uploadasync', { method: 'POST', token: publisher, body: form })
    expect(two.status).toBe(400)
    const answers = await Promise.all([upload(publisher, bytes), upload(publisher, bytes), upload(publisher, bytes)])
    const replies = (await Promise.all(answers.map((answer) => answer.json()))) as UploadReply[]
    expect(replies.map(({ unchanged }) => unchanged).sort()).toEqual([false, true, true])
    const id = replies[0]?.itemId
    expect((await world.api(`/catalog/v2/items/${id}`, { method: 'DELETE', token: publisher })).status).toBe(204)
  })

  it('survives an upload that breaks off', async () => {
    const stop = beginUpload()
    expect((await world.api('/catalog/v2/items', { token: viewer })).status).toBe(200)
    stop()
    const cut = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.tgz"\r\n\r\nstart'
    const answer = await world.api('/catalog/v1/upload/uploadasync', {
      method: 'POST',
      token: publisher,
      body: cut,
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    })
    expect(answer.status).toBe(400)
    expect((await world.api('/catalog/v2/items', { token: viewer })).status).toBe(200)
  })

  it('stands in pages, featured first, and is searched with its wildcards taken literally', async () => {
    for (const name of ['alpha', 'beta', 'gamma', 'per_cent']) await uploaded(name, '1.0.0')
    const gamma = await read<CatalogItem>('/v2/items/byname/gamma')
    const feature = await world.api(`/catalog/v2/items/${gamma.id}/featured/true`, {
      method: 'PATCH',
      token: publisher,
    })
    expect(feature.status).toBe(200)
    const names = (list: ListReply<CatalogItem>) => list.data.map(({ name }) => name)
    const page = await read<ListReply<CatalogItem>>('/v2/items?page=skip=0;limit=2')
    expect(names(page)).toEqual(['gamma', 'alpha'])
    expect(page.page.total).toBe(4)
    const next = await world.api(page.next ?? '', { token: viewer })
    expect(names((await next.json()) as ListReply<CatalogItem>)).toEqual(['beta', 'per_cent'])
    expect(names(await read('/v2/items?search=r_c'))).toEqual(['per_cent'])
    expect(names(await read('/v2/items?search=%25'))).toEqual([])
    expect(names(await read('/v2/items?filters=visible=true&enabled=true;sort.name=DESC')).length).toBe(4)
    expect(await read('/v2/manufacturers')).toMatchObject({ data: [{ name: 'Unknown', itemCount: 4 }] })
  })
})

describe('the disk of the portal', () => {
  const filesOnDisk = () => readdir(join(world.dataDir, 'portal', 'uploads')).catch(() => [])

  it('holds no upload that has ended, whether it was taken, refused or broken off', async () => {
    await uploaded('ended', '1.0.0')
    expect((await upload(publisher, Buffer.from('no archive'))).status).toBe(400)
    expect((await upload(publisher, Buffer.alloc(11 * 1024 * 1024, 7))).status).toBe(413)
    // A refusal is answered while the rest of the body still comes, and the file goes when that has ended.
    await expect.poll(filesOnDisk, { timeout: 30_000 }).toEqual([])
    const stop = beginUpload()
    await expect.poll(filesOnDisk, { timeout: 30_000 }).toHaveLength(1)
    stop()
    await expect.poll(filesOnDisk, { timeout: 30_000 }).toEqual([])
  })

  it('is rid of the uploads of a portal that was killed when it starts again', async () => {
    beginUpload()
    await expect.poll(filesOnDisk, { timeout: 30_000 }).toHaveLength(1)
    await world.restartPortal('SIGKILL')
    expect(await filesOnDisk()).toEqual([])
    expect(await uploaded('after-restart', '1.0.0')).toMatchObject({ unchanged: false })
  })
})

/** Begins an upload that sends no more than its first bytes; the function it returns breaks it off. */
function beginUpload(): () => void {
  const stop = new AbortController()
  const body = new ReadableStream({
    start(controller) {
      const head = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.tgz"\r\n\r\nstart'
      controller.enqueue(new TextEncoder().encode(head))
    },
  })
  const headers = { authorization: `Bearer ${publisher}`, 'content-type': 'multipart/form-data; boundary=x' }
  const init = { method: 'POST', headers, body, duplex: 'half', signal: stop.signal } as RequestInit
  fetch(`${world.url}/catalog/v1/upload/uploadasync`, init).catch(() => undefined)
  return () => stop.abort()
}
