import { packFiles } from '@quayside/embedded/seed/chart-package'
import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { deployed } from '../deployed-app.ts'

let world: World

beforeAll(async () => {
  world = await World.start({ cluster: { speed: 20 } })
})
afterAll(() => world?.close())

/** A chart whose schema allows one image alone, and has a pattern that some values keep busy for ever. */
function chart() {
  const schema = { properties: { image: { enum: ['trusted'] }, note: { pattern: '^(a+)+$' } } }
  const map = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: made}\ndata: {image: {{ .Values.image | quote }}}\n'
  return packFiles('strict', {
    'Chart.yaml': 'apiVersion: v2\nname: strict\nversion: 1.0.0\n',
    'values.yaml': 'image: trusted\nnote: a\n',
    'values.schema.json': JSON.stringify(schema),
    'templates/map.yaml': map,
  })
}

test('values that keep the check busy are not deployed unchecked', { timeout: 90_000 }, async () => {
  const token = await world.tokenFor({ realmRoles: ['quayside-admin'] })
  const yaml = `image: anything\nnote: ${'a'.repeat(60)}!\n`
  const { action } = await deployed(world, token, { chart: await chart(), yaml })
  expect(action.state).toBe('Failed')
  expect(JSON.stringify(action)).toMatch(/cannot be checked against the chart's schema: it takes longer than 5 s/)
})
