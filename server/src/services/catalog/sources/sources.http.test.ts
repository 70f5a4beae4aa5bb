import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { App } from '@quayside/contract/apps/endpoints'
import type { CatalogItem, CatalogVersion } from '@quayside/contract/catalog/endpoints'
import type { CatalogSource, SourcePreview, SourceRun, SourceRunLine } from '@quayside/contract/catalog/sources'
import type { Action, ValidationResult } from '@quayside/contract/deployments/endpoints'
import type { ErrorReply } from '@quayside/contract/http/errors'
import type { Space } from '@quayside/contract/spaces/endpoints'
import { callsOf } from '@quayside/embedded/portal-calls'
import { packFiles } from '@quayside/embedded/seed/chart-package'
import { createStory, deployDataOf, metadataOf, type Story } from '@quayside/embedded/story/story'
import { World } from '@quayside/embedded/world'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it, test, vi } from 'vitest'
import { type Host, offer, startHost } from './testing/chart-repository.ts'
import { createHelmProgram, type HelmProgram } from './testing/helm-program.ts'
import { type OciServer, startOciServer } from './testing/oci-server.ts'

let world: World
let helm: HelmProgram
/** A repository, and another host that packages lie on; the operator allows both. */
let repository: Host
let mirror: Host
/** A host inside that the operator does not allow. */
let inside: Host
let registry: OciServer
let admin: Story
let space: Space

beforeAll(async () => {
  ;[repository, mirror, inside] = await Promise.all([startHost(), startHost(), startHost()])
  registry = await startOciServer()
  const allowed = [repository, mirror, registry].map(({ port }) => `127.0.0.1:${port}`)
  world = await World.start({
    env: {
      QUAYSIDE_ALLOWED_ADDRESSES: [...allowed, `localhost:${mirror.port}`].join(','),
      QUAYSIDE_LEASE_SECONDS: '3',
    },
  })
  helm = await createHelmProgram(join(world.dataDir, 'portal', 'bin'))
  admin = createStory(world, await world.tokenFor({ realmRoles: ['quayside-admin'] }))
  space = await admin.space('Sources', readFileSync(world.kubeconfig, 'utf8'))
})
afterAll(async () => {
  helm?.close()
  await world?.close()
  await Promise.all([repository, mirror, inside, registry].map((host) => host?.close()))
})
beforeEach(() => {
  for (const host of [repository, mirror, inside]) {
    host.files.clear()
    host.demand(undefined)
    host.asked.length = 0
  }
})

const path = '/catalog/v1/sources'
let made = 0
const input = (more: object = {}) => {
  made += 1
  return { name: `Source ${made}`, kind: 'helm', address: repository.url, everyHours: null, ...more }
}
type Run = SourceRun & { lines: SourceRunLine[] }

/** Waits for the end of the run that is under way, or was the last. */
async function ended(id: string, calls: Pick<Story, 'good'> = admin): Promise<Run> {
  const runId = await vi.waitFor(
    async () => {
      const { lastRun } = await calls.good<CatalogSource>(`${path}/${id}`)
      expect(lastRun?.endedAt).toEqual(expect.any(String))
      return lastRun?.id
    },
    { timeout: 40_000, interval: 100 },
  )
  return calls.good(`${path}/${id}/runs/${runId}`)
}
async function added(more: object = {}): Promise<{ source: CatalogSource; run: Run }> {
  const source = await admin.good<CatalogSource>(path, { body: input(more) })
  return { source, run: await ended(source.id) }
}
async function again(id: string): Promise<Run> {
  await admin.good(`${path}/${id}/synchronise`, { method: 'POST' })
  return ended(id)
}
const told = ({ lines }: Run) =>
  lines.map(({ chart, version, outcome }) => [chart, version, outcome].filter(Boolean).join(' '))
const itemNamed = (name: string) => admin.good<CatalogItem>(`/catalog/v2/items/byname/${name}`)
const versionsOf = async (name: string) => {
  const { id } = await itemNamed(name)
  return (await admin.good<{ data: CatalogVersion[] }>(`/catalog/v2/versions/bycatalogitem/${id}`)).data
}
const deleted = (id: string, items = 'delete') =>
  admin.good<{ deletedItems: number; keptItems: number }>(`${path}/${id}?items=${items}`, { method: 'DELETE' })

/** A look at, or a change of, something that no call shows or that would take hours. */
async function inDatabase(statement: string, id: string): Promise<unknown[]> {
  const database = new pg.Client(world.databaseUrl)
  await database.connect()
  try {
    await database.query("select set_config('app.tenant', '*', false)")
    return (await database.query(statement, [id])).rows
  } finally {
    await database.end()
  }
}

describe('the door', () => {
  const calls: [string, string, object?][] = [
    ['GET', path],
    ['GET', `${path}/any`],
    ['POST', `${path}/test`, {}],
    ['POST', path, {}],
    ['PUT', `${path}/any`, {}],
    ['DELETE', `${path}/any`],
    ['POST', `${path}/any/synchronise`],
    ['GET', `${path}/any/runs`],
    ['GET', `${path}/any/runs/any`],
  ]
  it.each(calls)('%s %s wants a token, and the role that publishes', async (method, at, body) => {
    const init = { method, ...(body ? { body } : {}) }
    expect((await world.api(at, init)).status).toBe(401)
    const viewer = { 'quayside-portal-ui-catalog-apps': ['access', 'catalog.view'] }
    expect((await world.api(at, { ...init, token: await world.tokenFor({ clientRoles: viewer }) })).status).toBe(403)
  })

  it.each<[object, string]>([
    [{ name: '' }, 'name'],
    [{ kind: 'git' }, 'kind'],
    [{ address: 'charts.example.org' }, 'address'],
    [{ address: 'file:///etc/passwd' }, 'address'],
    [{ address: 'https://user:word@charts.example.org' }, 'address'],
    [{ address: 'oci://registry.example.org/charts' }, 'address'],
    [{ kind: 'oci', address: 'oci://registry.example.org/Not/Lower' }, 'address'],
    [{ signIn: 'password', secret: 'x' }, 'username'],
    [{ signIn: 'password', username: 'a:b', secret: 'x' }, 'username'],
    [{ signIn: 'token' }, 'secret'],
    [{ signIn: 'token', secret: 'a\nb: c' }, 'secret'],
    [{ signIn: 'token', secret: 'wörd' }, 'secret'],
    [{ charts: ['a/b'] }, 'charts.0'],
    [{ charts: ['*a*b*c*'] }, 'charts.0'],
    [{ versions: 0 }, 'versions'],
    [{ everyHours: 2 }, 'everyHours'],
    [{ extra: true }, 'body'],
  ])('%o is refused by the name of its field', async (more, field) => {
    const { status, body } = await admin.call<ErrorReply>(path, { body: input(more) })
    expect(status).toBe(400)
    expect(body.field ?? 'body').toBe(field)
  })

  it.each([
    ['charts.example.org', {}],
    ['oci://registry.example.org/charts', {}],
    ['https://registry.example.org/Not/Lower', { kind: 'oci' }],
  ])('%s is not asked when a source is tried', async (address, more) => {
    const { name: _, ...body } = input({ address, ...more })
    const refused = await admin.call<ErrorReply>(`${path}/test`, { body })
    expect([refused.status, refused.body.field]).toEqual([400, 'address'])
  })

  it('a tenant has so many sources, and not more', async () => {
    offer(repository, [])
    const { source } = await added()
    await inDatabase(
      `insert into catalog_source (id, tenant_id, name, kind, address, sign_in, username, charts, versions, prereleases,
        adds_to_uploads, created_by)
       select 'many-' || n, tenant_id, 'Many ' || n, kind, address, sign_in, username, charts, versions, prereleases,
        adds_to_uploads, created_by from catalog_source, generate_series(2, 50) n where id = $1`,
      source.id,
    )
    const { status, body } = await admin.call<ErrorReply>(path, { body: input() })
    expect([status, body.code]).toEqual([409, 'catalog.sources-too-many'])
    await inDatabase("delete from catalog_source where id = $1 or id like 'many-%'", source.id)
  })

  it('a name stands once, and what is not there is not found', async () => {
    offer(repository, [])
    const { source } = await added()
    const { status, body } = await admin.call<ErrorReply>(path, { body: input({ name: source.name.toUpperCase() }) })
    expect([status, body.field]).toEqual([409, 'name'])
    await deleted(source.id)
    for (const at of [source.id, `${source.id}/runs`]) expect((await admin.call(`${path}/${at}`)).status).toBe(404)
  })
})

describe('a Helm repository', () => {
  it('is looked at before it is saved, in plain words', async () => {
    const packages = await Promise.all(
      ['1.0.0', '1.1.0', '2.0.0-rc.1'].map((version) => helm.pack('looked-at', version)),
    )
    repository.files.set('/index.yaml', await helm.index(packages, repository.url))
    const { name: _, ...look } = input({ versions: 1 })
    expect(await admin.good<SourcePreview>(`${path}/test`, { body: look })).toEqual({
      message: `127.0.0.1:${repository.port} answers. 1 chart fits, with 1 version to take.`,
      ...{ notes: [], chartCount: 1, versionCount: 1, charts: [{ name: 'looked-at', versions: ['1.1.0'] }] },
    })
    expect(repository.fetched()).toEqual([])
    const { body } = await admin.call<ErrorReply>(`${path}/test`, {
      body: { ...look, address: `${repository.url}/no` },
    })
    expect(body).toMatchObject({
      field: 'address',
      message: `There is no index.yaml at this address of 127.0.0.1:${repository.port}: it is not a Helm repository.`,
    })
  })

  it('is looked at by one person of a tenant at a time', async () => {
    let arrived = () => {}
    let answer = () => {}
    const isAsked = new Promise<void>((resolve) => {
      arrived = resolve
    })
    repository.files.set('/index.yaml', (_, response) => {
      answer = () => response.end('entries: {}\n')
      arrived()
    })
    const { name: _, ...look } = input()
    const first = admin.good<SourcePreview>(`${path}/test`, { body: look })
    await isAsked
    const { status, body } = await admin.call<ErrorReply>(`${path}/test`, { body: look })
    expect([status, body.code]).toEqual([429, 'request.too-many'])
    answer()
    expect((await first).chartCount).toBe(0)
  })

  it('brings what is wanted of it, then only what is new, and marks that', async () => {
    const pack = (chart: string, version: string) => helm.pack(chart, version)
    const first = [
      { chart: 'greeter', version: '1.0.0', content: await pack('greeter', '1.0.0') },
      { chart: 'greeter', version: '1.1.0', content: await pack('greeter', '1.1.0') },
      { chart: 'greeter', version: '0.9.0', content: await pack('greeter', '0.9.0') },
      { chart: 'unwanted', version: '1.0.0', content: await pack('unwanted', '1.0.0') },
      { chart: 'shared', version: '1.0.0', content: Buffer.from(''), more: { type: 'library' } },
    ]
    offer(repository, first)
    const { source, run } = await added({ charts: ['gree*', 'shared'], versions: 2 })
    expect(run).toMatchObject({ state: 'done', taken: 2, skipped: 1, total: 2, done: 2, current: null })
    expect(run.message).toBe('Added 2 versions; 1 was left out.')
    expect(told(run).sort()).toEqual(['greeter 1.0.0 taken', 'greeter 1.1.0 taken', 'shared 1.0.0 skipped'])
    expect(repository.fetched().sort()).toEqual(['greeter-1.0.0.tgz', 'greeter-1.1.0.tgz'])
    const item = await itemNamed('greeter')
    expect(item).toMatchObject({
      latestVersion: '1.1.0',
      source: { id: source.id, name: source.name },
      newVersionAt: null,
    })

    offer(repository, [
      ...first.slice(0, 2),
      { chart: 'greeter', version: '1.2.0', content: await pack('greeter', '1.2.0') },
    ])
    const second = await again(source.id)
    expect(second).toMatchObject({
      state: 'done',
      taken: 1,
      known: 1,
      message: 'Added 1 version; 1 was already there.',
    })
    expect(told(second)).toEqual(['greeter 1.2.0 taken'])
    expect(repository.fetched()).toEqual(['greeter-1.2.0.tgz'])
    expect((await itemNamed('greeter')).newVersionAt).toEqual(expect.any(String))

    offer(repository, [{ chart: 'greeter', version: '1.2.0', content: await pack('greeter', '1.2.0') }])
    const third = await again(source.id)
    expect(third.message).toBe('Added nothing; 1 was already there.')
    expect(told(third).sort()).toEqual(['greeter 1.0.0 gone', 'greeter 1.1.0 gone'])
    offer(repository, first)
    expect(told(await again(source.id)).sort()).toEqual(['greeter 1.2.0 gone', 'shared 1.0.0 skipped'])
    offer(repository, [])
    expect(told(await again(source.id)).sort()).toEqual(['greeter 1.0.0 gone', 'greeter 1.1.0 gone'])
    expect((await versionsOf('greeter')).map(({ version }) => version)).toEqual(['1.2.0', '1.1.0', '1.0.0'])
    expect((await versionsOf('greeter'))[0]?.sourceName).toBe(source.name)
    const shown = await admin.good<CatalogSource>(`${path}/${source.id}`)
    expect(shown).toMatchObject({ itemCount: 1, versionCount: 3 })
    const list = await admin.good<{ data: CatalogItem[] }>(`/catalog/v2/items?filters.source=${source.id}`)
    expect(list.data.map(({ name }) => name)).toEqual(['greeter'])
    await deleted(source.id)
  })

  it('is refused what is not as it says, and nothing else with it', async () => {
    const good = await helm.pack('honest', '1.0.0')
    offer(repository, [
      { chart: 'honest', version: '1.0.0', content: good },
      { chart: 'altered', version: '1.0.0', content: await helm.pack('altered', '1.0.0'), digest: 'ab'.repeat(32) },
      { chart: 'renamed', version: '1.0.0', content: good },
      { chart: 'broken', version: '1.0.0', content: Buffer.from('not a chart at all') },
      { chart: 'huge', version: '1.0.0', content: Buffer.alloc(10 * 1024 * 1024 + 1) },
      { chart: 'missing', version: '1.0.0', content: good, url: 'absent.tgz' },
      { chart: 'inside', version: '1.0.0', content: good, url: `https://127.0.0.1:${inside.port}/inside-1.0.0.tgz` },
      { chart: 'local', version: '1.0.0', content: good, url: 'file:///etc/passwd' },
    ])
    const { source, run } = await added()
    expect(run).toMatchObject({ state: 'partly', taken: 1, refused: 7 })
    const why = Object.fromEntries(run.lines.map(({ chart, message }) => [chart, message]))
    expect(why).toEqual({
      honest: 'honest 1.0.0 is in the catalog.',
      altered: 'The package does not have the digest that the source states for it, so it was not taken.',
      renamed: 'The package says that it is honest 1.0.0, and the source that it is renamed 1.0.0.',
      broken: expect.stringContaining('gzip'),
      huge: `127.0.0.1:${repository.port} sends more than 10 MiB.`,
      missing: `127.0.0.1:${repository.port} does not have the package that the index names.`,
      inside: `Nobody answers at 127.0.0.1:${inside.port}, or this portal may not ask there.`,
      local: 'file: cannot be asked: it does not begin with https://.',
    })
    expect(inside.asked).toEqual([])
    expect((await admin.call('/catalog/v2/items/byname/altered')).status).toBe(404)
    await deleted(source.id)
  })

  it('changes nothing that was taken when it gives other content for it', async () => {
    offer(repository, [{ chart: 'steady', version: '1.0.0', content: await helm.pack('steady', '1.0.0') }])
    const { source } = await added()
    const [before] = await versionsOf('steady')
    const other = await helm.pack('steady', '1.0.0', { 'values.yaml': 'greeting: changed\n' })
    offer(repository, [{ chart: 'steady', version: '1.0.0', content: other }])
    const run = await again(source.id)
    expect(run.lines).toEqual([
      expect.objectContaining({
        outcome: 'skipped',
        message: expect.stringContaining('keeps the one that it took first'),
      }),
    ])
    expect((await versionsOf('steady'))[0]?.digest).toBe(before?.digest)
    await deleted(source.id)
  })

  it.each<[string, string]>([
    ['a page', '<html>Welcome</html>'],
    ['no entries', 'apiVersion: v1\n'],
    ['broken YAML', 'entries: {a: ['],
    [
      'a bomb of aliases',
      `a: &a [1,1,1,1,1,1,1,1,1]\n${Array.from({ length: 120 }, (_, at) => `b${at}: *a`).join('\n')}`,
    ],
    ['nesting without end', `entries: ${'['.repeat(20_000)}`],
    ['more than is read', `entries:\n# ${'x'.repeat(13 * 1024 * 1024)}`],
  ])('with an index of %s fails, and says so', async (_, text) => {
    repository.files.set('/index.yaml', text)
    const { name: __, ...look } = input()
    const { status, body } = await admin.call<ErrorReply>(`${path}/test`, { body: look })
    expect([status, body.field]).toEqual([409, 'address'])
    expect(body.message).toMatch(/cannot be used|sends more than/)
  })
})

describe('an OCI registry', () => {
  const oci = (at = '', more: object = {}) => ({
    kind: 'oci',
    address: `http://127.0.0.1:${registry.port}${at}`,
    ...more,
  })
  const push = async (chart: string, version: string, at: string) => {
    const packed = await helm.pack(chart, version)
    await helm.run('push', packed, `oci://127.0.0.1:${registry.port}/${at}`, '--plain-http')
  }
  beforeEach(() => registry.reset())

  it('gives the charts of a namespace that helm has pushed, then only what is new', async () => {
    for (const version of ['1.0.0', '1.1.0+build.5']) await push('pushed', version, 'team/charts')
    await push('other', '0.1.0', 'team/charts')
    await push('foreign', '1.0.0', 'elsewhere')
    registry.set.pageSize = 1
    const { source, run } = await added(oci('/team/charts', { charts: ['*'] }))
    expect(told(run).sort()).toEqual(['other 0.1.0 taken', 'pushed 1.0.0 taken', 'pushed 1.1.0+build.5 taken'])
    expect(await itemNamed('pushed')).toMatchObject({ latestVersion: '1.1.0+build.5', source: { id: source.id } })
    await push('pushed', '1.2.0', 'team/charts')
    registry.asked.length = 0
    expect(told(await again(source.id))).toEqual(['pushed 1.2.0 taken'])
    expect(registry.asked.filter(({ path: at }) => at.includes('/blobs/'))).toHaveLength(1)
    await deleted(source.id)
  })

  it('gives the chart of one repository, and charts by name where it lists none', async () => {
    await push('alone', '1.0.0', 'team')
    registry.set.hasList = false
    const one = await added(oci('/team/alone'))
    expect(told(one.run)).toEqual(['alone 1.0.0 taken'])
    await deleted(one.source.id)
    const named = await added(oci('/team', { charts: ['alone', 'absent'] }))
    expect(told(named.run).sort()).toEqual(['absent skipped', 'alone 1.0.0 taken'])
    await deleted(named.source.id)
    const { name: _, ...look } = input(oci('/team'))
    const { body } = await admin.call<ErrorReply>(`${path}/test`, { body: look })
    expect(body.message).toContain('does not list its repositories. Name the charts one by one')
  })

  it('is signed in to as it demands, and blobs on another host get nothing of it', async () => {
    await push('locked', '1.0.0', 'team')
    Object.assign(registry.set, { signIn: 'mara:pass-word', blobUrl: mirror.url })
    for (const [digest, bytes] of registry.blobs) mirror.files.set(`/${digest}`, bytes)
    const { name: _, ...look } = input(oci('/team', { charts: ['locked'] }))
    const { body } = await admin.call<ErrorReply>(`${path}/test`, { body: look })
    expect(body.message).toContain('requires a sign-in')
    const signIn = { signIn: 'password', username: 'mara', secret: 'pass-word' }
    const { source, run } = await added(oci('/team', { charts: ['locked'], ...signIn }))
    expect(told(run)).toEqual(['locked 1.0.0 taken'])
    expect(mirror.asked.map(({ authorization }) => authorization)).toEqual([undefined])
    await deleted(source.id)
  })

  it("sends nobody's sign-in to a host of somebody else", async () => {
    await push('lured', '1.0.0', 'team')
    Object.assign(registry.set, { signIn: 'mara:pass-word', tokenUrl: `http://localhost:${mirror.port}/token` })
    const signIn = { signIn: 'password', username: 'mara', secret: 'pass-word' }
    const { name: _, ...look } = input(oci('/team/lured', signIn))
    const { body } = await admin.call<ErrorReply>(`${path}/test`, { body: look })
    expect(body.message).toContain('which belongs to another owner, so the sign-in was not sent')
    expect(mirror.asked).not.toEqual([])
    expect(mirror.asked.filter(({ authorization }) => authorization !== undefined)).toEqual([])
  })

  it('is refused a package that is not what its manifest says, and what is no chart', async () => {
    await push('twisted', '1.0.0', 'team')
    await push('picture', '1.0.0', 'team')
    const manifest = registry.manifests.get('team/picture@1.0.0')
    if (manifest)
      manifest.bytes = Buffer.from(manifest.bytes.toString().replace('cncf.helm.config', 'oci.image.config'))
    for (const [digest, bytes] of registry.blobs)
      registry.blobs.set(digest, Buffer.concat([bytes, Buffer.from('more')]))
    const { source, run } = await added(oci('/team', { charts: ['*'] }))
    expect(Object.fromEntries(run.lines.map(({ chart, message }) => [chart, message]))).toEqual({
      picture: 'It is not a Helm chart.',
      twisted: 'The package does not have the digest that the manifest states.',
    })
    await deleted(source.id)
  })
})

describe('what is secret', () => {
  const secret = 'pass-word-1234'
  const basic = `Basic ${Buffer.from(`mara:${secret}`).toString('base64')}`

  it('goes to its own host alone, also when packages lie elsewhere or behind a redirect', async () => {
    const content = await helm.pack('guarded', '1.0.0')
    mirror.files.set('/guarded-1.0.0.tgz', readFileSync(content))
    mirror.files.set('/moved.tgz', readFileSync(await helm.pack('guarded', '1.1.0')))
    repository.files.set('/guarded-1.1.0.tgz', (_, response) => {
      response.writeHead(302, { location: `${mirror.url}/moved.tgz` }).end()
    })
    offer(repository, [
      { chart: 'guarded', version: '1.0.0', content, url: `${mirror.url}/guarded-1.0.0.tgz` },
      {
        chart: 'guarded',
        version: '1.1.0',
        content: await helm.pack('guarded', '1.1.0'),
        url: `${repository.url}/guarded-1.1.0.tgz`,
      },
    ])
    repository.demand(basic)
    const { source, run } = await added({ signIn: 'password', username: 'mara', secret })
    expect(run).toMatchObject({ state: 'done', taken: 2 })
    expect(repository.asked.map(({ authorization }) => authorization)).toEqual([basic, basic])
    expect(mirror.asked.map(({ authorization }) => authorization)).toEqual([undefined, undefined])
    await deleted(source.id)
  })

  it('is never told, stands nowhere in the open, and goes nowhere else without being typed again', async () => {
    offer(repository, [])
    repository.demand(basic)
    const { source } = await added({ signIn: 'password', username: 'mara', secret })
    const { id, name } = source
    const answers = await Promise.all(
      [path, `${path}/${id}`, `${path}/${id}/runs`, '/portal-api/v1/audit'].map((at) => admin.good(at)),
    )
    expect(JSON.stringify(answers)).not.toContain(secret)
    const rows = await inDatabase('select * from catalog_source where id = $1', id)
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(secret)

    const kept = { ...input({ name, signIn: 'password', username: 'mara' }) }
    expect((await admin.call(`${path}/${id}`, { method: 'PUT', body: kept })).status).toBe(200)
    expect(await again(id)).toMatchObject({ state: 'done' })
    for (const change of [{ address: mirror.url }, { username: 'noor' }, { signIn: 'token' }]) {
      const { status, body } = await admin.call<ErrorReply>(`${path}/${id}`, {
        method: 'PUT',
        body: { ...kept, ...change },
      })
      expect([status, body.field]).toEqual([400, 'secret'])
      const { name: _, ...look } = { ...kept, ...change, id }
      expect((await admin.call<ErrorReply>(`${path}/test`, { body: look })).body.field).toBe('secret')
    }
    expect(mirror.asked).toEqual([])
    repository.demand('Bearer other')
    const failed = await again(id)
    expect(failed).toMatchObject({ state: 'failed', message: expect.stringContaining('does not accept this sign-in') })
    expect(JSON.stringify(failed)).not.toContain(secret)
    await deleted(id)
  })
})

describe('addresses', () => {
  const look = (address: string, more: object = {}) => {
    const { name: _, ...body } = input({ address, ...more })
    return admin.call<ErrorReply>(`${path}/test`, { body })
  }
  it.each(['helm', 'oci'])('inside are answered like those where nobody is: %s', async (kind) => {
    offer(inside, [])
    const { port } = inside
    for (const host of [
      `https://127.0.0.1:${port}`,
      `https://[::1]:${port}`,
      `https://localhost:${port}`,
      'https://169.254.169.254',
      `https://0x7f000001:${port}`,
      'https://nowhere.invalid',
    ])
      expect((await look(host, { kind })).body.message).toMatch(
        /^Nobody answers at .+, or this portal may not ask there\.$/,
      )
    expect((await look(inside.url, { kind })).body.message).toContain('does not begin with https://')
    expect(inside.asked).toEqual([])
  })

  it('that send on to the inside are not followed', async () => {
    repository.files.set('/index.yaml', (_, response) => {
      response.writeHead(302, { location: `${inside.url}/index.yaml` }).end()
    })
    expect((await look(repository.url)).body.message).toContain('does not begin with https://')
    repository.files.set('/index.yaml', (_, response) => {
      response.writeHead(302, { location: `https://127.0.0.1:${inside.port}/index.yaml` }).end()
    })
    expect((await look(repository.url)).body.message).toContain('Nobody answers')
    repository.files.set('/index.yaml', (_, response) => {
      response.writeHead(302, { location: `${repository.url}/index.yaml` }).end()
    })
    expect((await look(repository.url)).body.message).toBe(`127.0.0.1:${repository.port} redirects more than 5 times.`)
    expect(inside.asked).toEqual([])
  })

  it('that answer with another protocol take no place of those that are asked next', async () => {
    const oddly = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n'
    repository.files.set('/odd/index.yaml', ({ socket }) => void socket.write(oddly))
    for (const _ of [1, 2, 3]) expect((await look(`${repository.url}/odd`)).body.message).toContain('Nobody answers')
    expect((await look(repository.url)).body.message).toContain('There is no index.yaml')
  })
})

describe('items from elsewhere', () => {
  it('are not overtaken by a source, unless they may be', async () => {
    await admin.uploadSmall('in-house', '1.0.0')
    const content = await helm.pack('in-house', '99.0.0')
    offer(repository, [{ chart: 'in-house', version: '99.0.0', content }])
    const { source, run } = await added()
    expect(run.lines).toEqual([
      expect.objectContaining({ outcome: 'skipped', message: expect.stringContaining('was uploaded') }),
    ])
    expect(repository.fetched()).toEqual([])
    expect(await itemNamed('in-house')).toMatchObject({ latestVersion: '1.0.0', source: null })

    await admin.good(`${path}/${source.id}`, { method: 'PUT', body: input({ name: source.name, addsToUploads: true }) })
    expect(await ended(source.id)).toMatchObject({ state: 'done', taken: 1 })
    expect(await itemNamed('in-house')).toMatchObject({ latestVersion: '99.0.0', source: { id: source.id } })
    const second = await added({ addsToUploads: true })
    expect(second.run.lines[0]?.message).toBe(`The catalog has a chart of this name from the source ${source.name}.`)
    for (const { id } of [source, second.source]) await deleted(id)
    // A person has uploaded the first version: it stays, and the one that the source brought is gone.
    expect(await itemNamed('in-house')).toMatchObject({ latestVersion: '1.0.0', versionCount: 1, source: null })
    expect((await versionsOf('in-house')).map(({ version }) => version)).toEqual(['1.0.0'])
  })
})

test('an entry of the list of a cluster for an uploaded item lets nothing be that a source adds to it', async () => {
  const storage =
    'apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: house}\nprovisioner: example.org/a\n'
  const packed = (version: string) =>
    packFiles('house', {
      'Chart.yaml': `apiVersion: v2\nname: house\nversion: ${version}\n`,
      'templates/class.yaml': storage,
    })
  const { item } = await admin.upload(await packed('1.0.0'))
  const cluster = `/cluster/v1/clusters/${space.clusters[0]?.id}`
  await admin.good(cluster, { method: 'PUT', body: { clusterScoped: true } })
  await admin.good(`${cluster}/rules`, { body: { group: 'storage.k8s.io', kind: 'StorageClass', itemId: item.id } })
  offer(repository, [{ chart: 'house', version: '2.0.0', content: await packed('2.0.0') }])
  const { source, run } = await added({ addsToUploads: true })
  expect(run).toMatchObject({ taken: 1 })
  const verdictOf = async (version: string) => {
    const chosen = (await versionsOf('house')).find((one) => one.version === version) as CatalogVersion
    const app = await admin.assign(space, { item: await itemNamed('house'), version: chosen })
    const body = { appMetadata: metadataOf(app, space), yaml: '# nothing' }
    const where = `/deployment/v1/helm/deployment/validate/${chosen.id}`
    return (await admin.good<ValidationResult>(where, { method: 'PUT', body })).outside?.needs[0]?.verdict
  }
  expect([await verdictOf('1.0.0'), await verdictOf('2.0.0')]).toEqual(['rule', 'ask'])
  await deleted(source.id, 'keep')
  expect(await verdictOf('2.0.0')).toBe('ask')
})

describe('what was deployed', () => {
  async function deploy(name: string): Promise<{ app: App; action: Action }> {
    const item = await itemNamed(name)
    const version = (await versionsOf(name))[0] as CatalogVersion
    const child = { item, version }
    const app = await admin.assign(space, child)
    const releaseName = await admin.releaseName(app, name)
    const body = {
      appId: app.id,
      versionId: version.id,
      releaseName,
      socketId: null,
      deployData: deployDataOf(app, space, child, ''),
    }
    const { body: accepted } = await admin.post<{ actionId: string }>('Deploy', body)
    return { app, action: await admin.ended(accepted.actionId) }
  }

  test('goes on and can be deployed again when the source is down, and when it is deleted', async () => {
    offer(repository, [
      { chart: 'lasting', version: '1.0.0', content: await helm.pack('lasting', '1.0.0') },
      { chart: 'never-used', version: '1.0.0', content: await helm.pack('never-used', '1.0.0') },
    ])
    const { source } = await added()
    expect((await deploy('lasting')).action).toMatchObject({ state: 'Success' })

    repository.files.set('/index.yaml', (request) => request.socket.destroy())
    const down = await again(source.id)
    expect(down).toMatchObject({ state: 'failed', taken: 0 })
    expect(down.message).toBe(
      `Nobody answers at 127.0.0.1:${repository.port}, or this portal may not ask there. What the catalog has from this source stays.`,
    )
    expect((await deploy('lasting')).action).toMatchObject({ state: 'Success' })

    expect(await deleted(source.id)).toEqual({ deletedItems: 1, keptItems: 1 })
    expect((await admin.call('/catalog/v2/items/byname/never-used')).status).toBe(404)
    expect(await itemNamed('lasting')).toMatchObject({ source: null, deployedCount: 2 })
    repository.files.clear()
    expect((await deploy('lasting')).action).toMatchObject({ state: 'Success' })
  })

  test('stays with everything else when that is asked for', async () => {
    offer(repository, [{ chart: 'kept-on', version: '1.0.0', content: await helm.pack('kept-on', '1.0.0') }])
    const { source } = await added()
    expect(await deleted(source.id, 'keep')).toEqual({ deletedItems: 0, keptItems: 1 })
    expect(await itemNamed('kept-on')).toMatchObject({ source: null })
  })
})

describe('runs', () => {
  test('begin by themselves when they are due, once', async () => {
    offer(repository, [{ chart: 'due', version: '1.0.0', content: await helm.pack('due', '1.0.0') }])
    const { source, run } = await added({ everyHours: 6 })
    expect(run.askedBy).not.toBeNull()
    const inHours = (new Date(source.nextRunAt ?? '').getTime() - Date.now()) / 3600_000
    expect(inHours).toBeGreaterThan(5.9)
    expect(inHours).toBeLessThanOrEqual(6)
    const replica = await world.addReplica()
    await inDatabase("update catalog_source set next_run_at = now() - interval '1 minute' where id = $1", source.id)
    const runs = await vi.waitFor(
      async () => {
        const { data } = await admin.good<{ data: SourceRun[] }>(`${path}/${source.id}/runs`)
        expect(data[0]?.askedBy).toBeNull()
        expect(data[0]?.endedAt).not.toBeNull()
        return data
      },
      { timeout: 40_000, interval: 200 },
    )
    expect(runs).toHaveLength(2)
    expect(runs[0]).toMatchObject({ state: 'done', known: 1 })
    const { nextRunAt } = await admin.good<CatalogSource>(`${path}/${source.id}`)
    expect(new Date(nextRunAt ?? '').getTime()).toBeGreaterThan(Date.now() + 5 * 3600_000)
    await replica.close()
    await deleted(source.id)
  })

  test('are one at a time, say how far they are, and are ended by another process when theirs dies', async () => {
    let arrived = () => {}
    const isAsked = new Promise<void>((resolve) => {
      arrived = resolve
    })
    const bytes = readFileSync(await helm.pack('slow', '1.0.0'))
    offer(repository, [
      { chart: 'quick', version: '1.0.0', content: await helm.pack('quick', '1.0.0') },
      { chart: 'slow', version: '1.0.0', content: bytes },
    ])
    // It never answers, until the first who asked is gone.
    repository.files.set('/slow-1.0.0.tgz', () => arrived())
    const source = await admin.good<CatalogSource>(path, { body: input() })
    await isAsked
    const { lastRun } = await admin.good<CatalogSource>(`${path}/${source.id}`)
    expect(lastRun).toMatchObject({ state: 'running', total: 2, done: 1, taken: 1, current: 'slow 1.0.0' })
    const second = await admin.good<SourceRun>(`${path}/${source.id}/synchronise`, { method: 'POST' })
    expect(second.id).toBe(lastRun?.id)
    await world.restartPortal('SIGKILL')
    repository.files.set('/slow-1.0.0.tgz', bytes)
    const run = await ended(source.id)
    expect(run).toMatchObject({ id: lastRun?.id, state: 'done', taken: 2, known: 0, message: 'Added 2 versions.' })
    await deleted(source.id)
  })
})

test('a tenant has one run at a time, and its next one begins when that has ended', async () => {
  let arrived = () => {}
  let answer = () => {}
  const isAsked = new Promise<void>((resolve) => {
    arrived = resolve
  })
  const bytes = readFileSync(await helm.pack('held', '1.0.0'))
  offer(repository, [{ chart: 'held', version: '1.0.0', content: bytes }])
  offer(mirror, [{ chart: 'queued', version: '1.0.0', content: await helm.pack('queued', '1.0.0') }])
  repository.files.set('/held-1.0.0.tgz', (_, response) => {
    answer = () => response.end(bytes)
    arrived()
  })
  const holder = await admin.good<CatalogSource>(path, { body: input() })
  await isAsked
  const queued = await admin.good<CatalogSource>(path, { body: input({ address: mirror.url }) })
  const waits = "select 1 from pgboss.job where data->>'runId' = $1 and state = 'completed'"
  await vi.waitFor(async () => expect(await inDatabase(waits, queued.lastRun?.id ?? '')).toHaveLength(1), 20_000)
  answer()
  const [first, second] = [await ended(holder.id), await ended(queued.id)]
  expect(new Date(second.startedAt ?? 0).getTime()).toBeGreaterThanOrEqual(new Date(first.endedAt ?? 0).getTime())
  for (const { id } of [holder, queued]) await deleted(id)
})

describe('a run that is under way', () => {
  test('is followed by another one when its source is changed', async () => {
    let arrived = () => {}
    let answer = () => {}
    const isAsked = new Promise<void>((resolve) => {
      arrived = resolve
    })
    const bytes = readFileSync(await helm.pack('before', '1.0.0'))
    offer(repository, [
      { chart: 'before', version: '1.0.0', content: bytes },
      { chart: 'afterwards', version: '1.0.0', content: await helm.pack('afterwards', '1.0.0') },
    ])
    repository.files.set('/before-1.0.0.tgz', (_, response) => {
      answer = () => response.end(bytes)
      arrived()
    })
    const { id, name, lastRun } = await admin.good<CatalogSource>(path, { body: input({ charts: ['before'] }) })
    await isAsked
    const change = { method: 'PUT', body: input({ name, charts: ['before', 'afterwards'] }) }
    expect((await admin.good<CatalogSource>(`${path}/${id}`, change)).lastRun?.id).toBe(lastRun?.id)
    answer()
    const next = await vi.waitFor(
      async () => {
        const run = await ended(id)
        expect(run.id).not.toBe(lastRun?.id)
        return run
      },
      { timeout: 20_000 },
    )
    expect(next).toMatchObject({ state: 'done', known: 1, taken: 1 })
    expect(told(next)).toEqual(['afterwards 1.0.0 taken'])
    await deleted(id)
  })

  test('is written by nobody who has lost it', async () => {
    const asked = Promise.withResolvers<(bytes: Buffer) => void>()
    const bytes = readFileSync(await helm.pack('lost', '1.0.0'))
    offer(repository, [{ chart: 'lost', version: '1.0.0', content: bytes }])
    repository.files.set('/lost-1.0.0.tgz', (_, response) => asked.resolve((content) => void response.end(content)))
    const { id, lastRun } = await admin.good<CatalogSource>(path, { body: input() })
    const runId = lastRun?.id ?? ''
    const answer = await asked.promise
    const take = `update catalog_source_run set fence = fence + 1, lease_owner = 'another', lease_until = now() + interval '1 hour'`
    await inDatabase(`${take} where id = $1`, runId)
    repository.files.set('/lost-1.0.0.tgz', bytes)
    answer(bytes)
    const over = `select 1 from pgboss.job where data->>'runId' = $1 and state = 'completed'`
    await vi.waitFor(async () => expect(await inDatabase(over, runId)).not.toEqual([]), 20_000)
    const { lines, ...run } = await admin.good<SourceRun & { lines: unknown[] }>(`${path}/${id}/runs/${runId}`)
    expect([run.state, run.endedAt, lines]).toEqual(['running', null, []])
    await inDatabase(`update catalog_source_run set lease_until = now() - interval '1 hour' where id = $1`, runId)
    expect(await ended(id)).toMatchObject({ id: runId, state: 'done' })
    await deleted(id)
  })

  test('is not begun for ever', async () => {
    offer(repository, [])
    const { source } = await added()
    await inDatabase(
      `insert into catalog_source_run (id, tenant_id, source_id, state, fence, created_at)
       select 'endless', tenant_id, id, 'running', 5, now() - interval '1 minute' from catalog_source where id = $1`,
      source.id,
    )
    await vi.waitFor(
      async () =>
        expect(await admin.good(`${path}/${source.id}/runs/endless`)).toMatchObject({
          state: 'failed',
          message: 'Started 5 times and never finished.',
        }),
      { timeout: 20_000 },
    )
    await deleted(source.id)
  })
})

test('a source that is deleted while it is synchronised brings nothing more', async () => {
  let answer = () => {}
  const isAsked = new Promise<void>((resolve) => {
    repository.files.set('/late-1.0.0.tgz', async (_, response) => {
      answer = () => response.end(readFileSync(late))
      resolve()
    })
  })
  const late = await helm.pack('late', '1.0.0')
  const url = `${repository.url}/late-1.0.0.tgz`
  offer(repository, [
    { chart: 'early', version: '1.0.0', content: await helm.pack('early', '1.0.0') },
    { chart: 'late', version: '1.0.0', content: late, url },
  ])
  const source = await admin.good<CatalogSource>(path, { body: input() })
  await isAsked
  expect(await deleted(source.id, 'keep')).toEqual({ deletedItems: 0, keptItems: 1 })
  answer()
  offer(repository, [{ chart: 'after', version: '1.0.0', content: await helm.pack('after', '1.0.0') }])
  expect((await added()).run).toMatchObject({ state: 'done', taken: 1 })
  expect((await admin.call('/catalog/v2/items/byname/late')).status).toBe(404)
  expect(await itemNamed('early')).toMatchObject({ source: null })
})

test('another tenant sees nothing of a source, and changes nothing', async () => {
  offer(repository, [{ chart: 'ours', version: '1.0.0', content: await helm.pack('ours', '1.0.0') }])
  const { source, run } = await added()
  const abroad = await world.addReplica({ realm: 'abroad' })
  const stranger = callsOf(abroad, await world.tokenFor({ realm: 'abroad', realmRoles: ['quayside-admin'] }))
  expect(await stranger.good(path)).toEqual({ data: [] })
  for (const at of ['', '/runs', `/runs/${run.id}`])
    expect((await stranger.call(`${path}/${source.id}${at}`)).status).toBe(404)
  expect((await stranger.call(`${path}/${source.id}/synchronise`, { method: 'POST' })).status).toBe(404)
  expect((await stranger.call(`${path}/${source.id}`, { method: 'DELETE' })).status).toBe(404)
  const { name: _, ...look } = input({ id: source.id, signIn: 'token' })
  expect((await stranger.call(`${path}/test`, { body: look })).status).toBe(404)
  expect((await stranger.call('/catalog/v2/items/byname/ours')).status).toBe(404)
  await abroad.close()
  await deleted(source.id)
})
