import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { World } from '@quayside/embedded/world'
import { pack } from 'tar-stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deployed } from './deployed-app.ts'

let world: World

beforeAll(async () => {
  world = await World.start({ cluster: { speed: 20 } })
})
afterAll(() => world?.close())

/** A chart whose schema allows one image alone, and has a pattern that some values keep busy for ever. */
async function chart(): Promise<Uint8Array> {
  const archive = pack()
  const bytes = buffer(archive)
  const schema = { properties: { image: { enum: ['trusted'] }, note: { pattern: '^(a+)+$' } } }
  const map = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: made}\ndata: {image: {{ .Values.image | quote }}}\n'
  archive.entry({ name: 'strict/Chart.yaml' }, 'apiVersion: v2\nname: strict\nversion: 1.0.0\n')
  archive.entry({ name: 'strict/values.yaml' }, 'image: trusted\nnote: a\n')
  archive.entry({ name: 'strict/values.schema.json' }, JSON.stringify(schema))
  archive.entry({ name: 'strict/templates/map.yaml' }, map)
  archive.finalize()
  return gzipSync(await bytes)
}

test('values that keep the check busy are not deployed unchecked', { timeout: 90_000 }, async () => {
  const token = await world.tokenFor({ realmRoles: ['quayside-admin'] })
  const yaml = `image: anything\nnote: ${'a'.repeat(60)}!\n`
  const { action } = await deployed(world, token, { chart: await chart(), yaml })
  expect(action.state).toBe('Failed')
  expect(JSON.stringify(action)).toMatch(/cannot be checked against the chart's schema: it takes longer than 5 s/)
})
