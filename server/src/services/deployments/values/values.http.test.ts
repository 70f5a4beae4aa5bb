import { readFileSync } from 'node:fs'
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node'
import type { App } from '@quayside/contract/apps/endpoints'
import type { CatalogChild } from '@quayside/contract/catalog/endpoints'
import { deployments, type ValidationResult } from '@quayside/contract/deployments/endpoints'
import { mostPresets, type Preset, presets } from '@quayside/contract/deployments/presets'
import { pathOf } from '@quayside/contract/http/path'
import type { Space } from '@quayside/contract/spaces/endpoints'
import { createStory, deployDataOf, metadataOf, type Story } from '@quayside/embedded/story/story'
import { World } from '@quayside/embedded/world'
import { decodeJwt } from 'jose'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let world: World
let admin: Story
let formOnly: Story
let viewer: Story
let space: Space
let child: CatalogChild
let app: App
let core: CoreV1Api

beforeAll(async () => {
  world = await World.start({ cluster: { speed: 10 }, env: { QUAYSIDE_ALLOW_PRIVATE_ADDRESSES: 'true' } })
  admin = createStory(world, await world.tokenFor({ realmRoles: ['quayside-admin'] }))
  viewer = createStory(world, await world.tokenFor({ realmRoles: ['quayside-viewer'] }))
  const clientRoles = {
    'quayside-portal-ui-catalog-apps': ['access', 'catalog.view', 'catalog.deploy', 'catalog.deployments.view'],
  }
  formOnly = createStory(world, await world.tokenFor({ clientRoles }))
  const sandbox = readFileSync(world.kubeconfig, 'utf8')
  const kubeconfig = new KubeConfig()
  kubeconfig.loadFromString(sandbox)
  core = kubeconfig.makeApiClient(CoreV1Api)
  space = await admin.space('Values', sandbox)
  child = await admin.uploadSmall('valued', '1.0.0')
  app = await admin.assign(space, child)
})
afterAll(() => world?.close())

async function validated(text: string, who = admin, version = child, of = app): Promise<ValidationResult> {
  const path = pathOf(deployments.validate, { id: version.version.id })
  return who.good(path, { method: 'PUT', body: { appMetadata: metadataOf(of, space), yaml: text } })
}

async function chartWith(name: string, files: Record<string, string>): Promise<{ version: CatalogChild; of: App }> {
  const version = await admin.uploadSmall(name, '1.0.0', files)
  return { version, of: await admin.assign(space, version) }
}

describe('without the permission for YAML', () => {
  test('what the form offers can be set', async () => {
    expect(await validated('replicas: 2\nextra:\n  any: thing\n', formOnly)).toMatchObject({ success: true })
  })

  test('other keys are refused with their line, and deployed neither', async () => {
    const text = 'replicas: 2\nhost:\n  path: /\n'
    const result = await validated(text, formOnly)
    expect(result).toMatchObject({ success: false, provider: 'YAML', resultType: 'error' })
    expect(result.lines).toEqual([expect.objectContaining({ path: 'host', line: 3, provider: 'YAML' })])
    expect(await validated(text)).toMatchObject({ success: true })
    const body = {
      appId: app.id,
      versionId: child.version.id,
      releaseName: 'handmade',
      deployData: deployDataOf(app, space, child, text),
    }
    expect(await formOnly.post('Deploy', body)).toMatchObject({ status: 400, body: { field: 'deployData.yaml' } })
    const preset = { name: 'By hand', catalogVersionId: child.version.id, yaml: text }
    expect(await formOnly.call(pathOf(presets.addPreset), { body: preset })).toMatchObject({ status: 400 })
  })
})

describe('validation', () => {
  test('a key that comes again is told with its line, and what stands last is accepted', async () => {
    const result = await validated('replicas: none\nreplicas: 3\n', formOnly)
    expect(result).toMatchObject({ success: true })
    expect(result.lines[0]).toMatchObject({ provider: 'YAML', resultType: 'info', path: 'replicas', line: 1 })
  })

  test('goes in order and answers an unchanged question from what it knows', async () => {
    const text = 'replicas: 3\n'
    const asked = performance.now()
    const first = await validated(text)
    const firstMs = performance.now() - asked
    expect([...new Set(first.lines.map(({ provider }) => provider))]).toEqual([
      'YAML',
      'Schema',
      'Helm',
      'Lint',
      'Policy',
      'Cluster',
      'Quota',
    ])
    const start = performance.now()
    expect(await validated(text)).toEqual(first)
    // Rendering and asking the cluster take most of the first answer, however busy the machine is.
    expect(performance.now() - start).toBeLessThan(firstMs / 2)
  })

  test('says where the schema, and where Helm, sees it', async () => {
    expect((await validated('# mine\nreplicas: 9\n')).lines.at(-1)).toMatchObject({
      provider: 'Schema',
      path: 'replicas',
      line: 2,
    })
    const failing = await chartWith('failing', {
      'templates/fail.yaml': '{{ if not .Values.extra.email }}{{ fail "Please set extra.email" }}{{ end }}',
    })
    expect((await validated('extra:\n  name: x\n', admin, failing.version, failing.of)).lines.at(-1)).toMatchObject({
      provider: 'Helm',
      path: 'extra.email',
      line: 2,
    })
  })

  test('a quota that is too small is said in figures, before anything is applied', async () => {
    await core.createNamespacedResourceQuota({
      namespace: space.namespace,
      body: { metadata: { name: 'small' }, spec: { hard: { pods: '2' } } },
    })
    await expect
      .poll(
        async () =>
          (await core.readNamespacedResourceQuota({ namespace: space.namespace, name: 'small' })).status?.hard,
      )
      .toEqual({ pods: '2' })
    const result = await validated('replicas: 4\n')
    expect(result).toMatchObject({ success: false, provider: 'Quota' })
    expect(result.lines.at(-1)).toMatchObject({
      message: 'Quota small: pods: 4 more needed, 2 of 2 left',
      object: { kind: 'Deployment', path: 'spec.replicas', source: expect.stringMatching(/\/templates\/.*yaml$/) },
    })
    await core.deleteNamespacedResourceQuota({ namespace: space.namespace, name: 'small' })
  })
})

describe('hostile input', () => {
  const laughs = [
    'a: &a [x, x, x, x, x, x, x, x, x]',
    ...'bcdefghij'.split('').map((name, at) => {
      const below = 'abcdefghij'[at]
      return `${name}: &${name} [${Array.from({ length: 9 }, () => `*${below}`).join(', ')}]`
    }),
  ].join('\n')

  test.each([
    ['a billion laughs', laughs],
    ['a tower of brackets', '['.repeat(100_000)],
    ['forty thousand keys on one level', Array.from({ length: 40_000 }, (_, at) => `k${at}: 1`).join('\n')],
  ])('%s is answered in time', { timeout: 30_000 }, async (_, text) => {
    const start = performance.now()
    const result = await validated(text)
    expect(result.lines.length).toBeGreaterThan(0)
    expect(performance.now() - start).toBeLessThan(20_000)
  })

  test.each([
    ['endless', { 'templates/endless.yaml': '{{- range $i := until 90000000 }}{{ $i }}{{ end }}' }],
    [
      'recursive',
      {
        'templates/_loop.tpl': '{{- define "loop" }}{{ include "loop" . }}{{ end }}',
        'templates/loop.yaml': 'a: {{ include "loop" . }}',
      },
    ],
    ['patterned', { 'values.schema.json': JSON.stringify({ properties: { image: { pattern: '^(a+)+$' } } }) }],
    [
      'schematic',
      {
        'values.schema.json': JSON.stringify({
          $defs: { a: { allOf: Array.from({ length: 40 }, () => ({ $ref: '#/$defs/a' })) } },
          $ref: '#/$defs/a',
        }),
      },
    ],
    ['nested', { 'templates/deep.yaml': `metadata: {name: a}\ndata: ${'['.repeat(3000)}${']'.repeat(3000)}\n` }],
    [
      'endless form',
      {
        'values.schema.json': JSON.stringify({
          $defs: {
            a: {
              required: ['x', 'y', 'z'],
              properties: Object.fromEntries(
                ['x', 'y', 'z'].map((name) => [name, { oneOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/a' }] }]),
              ),
            },
          },
          properties: { image: { type: 'string' }, extra: { $ref: '#/$defs/a' } },
        }),
      },
    ],
  ])('the %s chart is given up in time', { timeout: 60_000 }, async (name, files) => {
    const { version, of } = await chartWith(name.replace(' ', '-'), files)
    const start = performance.now()
    const result = await validated(`image: ${'a'.repeat(40)}!\n`, admin, version, of)
    expect(result.lines.length).toBeGreaterThan(0)
    expect(performance.now() - start).toBeLessThan(25_000)
    expect((await admin.call('/portal-api/v2/spaces')).status).toBe(200)
  })
})

describe('presets', () => {
  const calls = Object.entries(presets).map(([name, { method, path }]) => ({ name, method, path }))
  let guarded: Preset
  beforeAll(async () => {
    const body = { name: 'Guarded', catalogVersionId: child.version.id, yaml: 'replicas: 2\n' }
    guarded = await admin.good<Preset>(pathOf(presets.addPreset), { body })
  })
  test.each(calls)('$name wants a token and the right to deploy', async ({ name, method, path }) => {
    const id = name === 'listPresets' ? child.item.id : guarded.id
    const url = pathOf({ service: 'deployment', path }, { id })
    const bodies = {
      POST: { name: 'Mine', catalogVersionId: child.version.id, yaml: 'replicas: 3\n' },
      PATCH: { name: 'Mine' },
    }
    const init = { method, body: bodies[method as keyof typeof bodies] }
    expect((await world.api(url, init)).status).toBe(401)
    expect((await viewer.call(url, init)).status).toBe(403)
  })

  test('of a space are for who sees its apps, and changed by who works there', async () => {
    const [here, elsewhere] = await Promise.all(
      ['Presets here', 'Presets elsewhere'].map((displayName) =>
        admin.good<Space>('/portal-api/v3/spaces', { body: { displayName } }),
      ),
    )
    const tokens = await Promise.all([1, 2].map(() => world.tokenFor({ realmRoles: ['quayside-member'] })))
    const [ours, theirs] = tokens.map((token) => createStory(world, token)) as [Story, Story]
    for (const [space, token] of [
      [here, tokens[0]],
      [elsewhere, tokens[1]],
    ] as const)
      await admin.good(`/portal-api/v3/spaces/${space?.id}/permissions`, {
        body: { principal: { type: 'user', id: decodeJwt(token ?? '').sub }, role: 'deployer' },
      })
    const preset = (spaceId: string | undefined) => ({
      body: { name: 'Of the team', catalogVersionId: child.version.id, spaceId, yaml: 'replicas: 4\n' },
    })
    const made = await ours.call<Preset>(pathOf(presets.addPreset), preset(here?.id))
    expect(made).toMatchObject({ status: 201, body: { spaceId: here?.id } })
    expect((await theirs.call(pathOf(presets.addPreset), preset(here?.id))).status).toBe(404)
    const other = await theirs.call<Preset>(pathOf(presets.addPreset), preset(elsewhere?.id))
    expect(other.status).toBe(201)
    expect((await ours.call(pathOf(presets.addPreset), preset(undefined))).status).toBe(403)
    const names = async (who: Story) =>
      (await who.good<{ data: Preset[] }>(pathOf(presets.listPresets, { id: child.item.id }))).data.map(({ id }) => id)
    expect(await names(ours)).toEqual(expect.arrayContaining([made.body.id, guarded.id]))
    expect(await names(theirs)).not.toContain(made.body.id)
    const one = pathOf(presets.renamePreset, { id: made.body.id })
    expect(await theirs.call(one, { method: 'PATCH', body: { name: 'Taken' } })).toMatchObject({
      status: 404,
      body: { code: 'preset.not-found' },
    })
    expect((await theirs.call(one, { method: 'DELETE' })).status).toBe(404)
    const shared = pathOf(presets.deletePreset, { id: guarded.id })
    expect((await ours.call(shared, { method: 'DELETE' })).status).toBe(403)
    expect((await ours.call(one, { method: 'DELETE' })).status).toBe(204)
    for (const { id } of [guarded, other.body])
      await admin.good(pathOf(presets.deletePreset, { id }), { method: 'DELETE' })
  })

  test('are kept without secrets, listed, renamed and deleted', async () => {
    const keep = (name: string, yaml: string) =>
      admin.call<Preset>(pathOf(presets.addPreset), { body: { name, catalogVersionId: child.version.id, yaml } })
    expect(await keep('', 'replicas: 2')).toMatchObject({ status: 400, body: { field: 'name' } })
    expect(await keep('Same', 'replicas: 1\ncode: only-a-secret\n')).toMatchObject({ status: 400 })
    expect(await keep('Bad', 'a: [')).toMatchObject({ status: 400, body: { field: 'yaml' } })
    const { status, body } = await keep(' Large ', 'replicas: 5\nimage: nginx:1.27\ncode: hunter22\nextra:\n  a: 1\n')
    expect(status).toBe(201)
    expect(body).toMatchObject({ name: 'Large', catalogItemId: child.item.id, yaml: 'replicas: 5\nextra:\n  a: 1\n' })
    expect(await keep('Large', 'replicas: 4')).toMatchObject({ status: 409 })
    const list = async () =>
      (await formOnly.good<{ data: Preset[] }>(pathOf(presets.listPresets, { id: child.item.id }))).data
    expect((await list()).map(({ name }) => name)).toEqual(['Large'])
    await keep('Small', 'replicas: 2')
    const one = pathOf(presets.renamePreset, { id: body.id })
    expect(await admin.call(one, { method: 'PATCH', body: { name: 'Small' } })).toMatchObject({ status: 409 })
    expect(await admin.call(one, { method: 'PATCH', body: { name: 'Huge' } })).toMatchObject({
      status: 200,
      body: { name: 'Huge' },
    })
    expect((await list()).map(({ name }) => name)).toEqual(['Huge', 'Small'])
    expect((await admin.call(one, { method: 'DELETE' })).status).toBe(204)
    expect((await admin.call(one, { method: 'DELETE' })).status).toBe(404)
    expect((await list()).map(({ name }) => name)).toEqual(['Small'])
  })

  test('are those of the tenant, and no more than may be, also when all come at once', async () => {
    const here = { id: child.item.id }
    const list = async () => (await admin.good<{ data: Preset[] }>(pathOf(presets.listPresets, here))).data
    const before = (await list()).length
    const columns = 'values_preset (id, tenant_id, catalog_item_id, name, yaml, created_by)'
    await asPlatform(
      `insert into tenants (id, identifier, realm, display_name) values ('abroad', 'abroad', 'abroad', 'Abroad')`,
      `insert into ${columns} values ('theirs', 'abroad', '${here.id}', 'Theirs', 'replicas: 9', 'nobody')`,
      `insert into ${columns} select 'p' || n, tenants.id, '${here.id}', 'P' || n, 'replicas: 2', 'nobody'
       from tenants, generate_series(1, ${mostPresets - 1 - before}) n where realm = 'demo'`,
    )
    expect((await list()).map(({ name }) => name)).not.toContain('Theirs')
    const theirs = pathOf(presets.renamePreset, { id: 'theirs' })
    expect((await admin.call(theirs, { method: 'PATCH', body: { name: 'Ours' } })).status).toBe(404)
    expect((await admin.call(theirs, { method: 'DELETE' })).status).toBe(404)
    const answers = await Promise.all(
      ['A', 'B', 'C'].map((name) =>
        admin.call(pathOf(presets.addPreset), {
          body: { name, catalogVersionId: child.version.id, yaml: 'replicas: 3' },
        }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409])
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'preset.too-many' })
  })
})

/** Runs SQL that no call of the API allows: writing rows of another tenant, and many at once. */
async function asPlatform(...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: world.databaseUrl })
  await client.connect()
  try {
    await client.query(`select set_config('app.tenant', '*', false)`)
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}
