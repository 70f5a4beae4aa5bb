import { expect, test } from 'vitest'
import { comparedDefaults, maskedDefaults } from './masked-sides.ts'
import { secretMark } from './secret-mark.ts'

const schema = { properties: { berth: { type: 'string', writeOnly: true } } }
const version = (valuesYaml: string, valuesSchema: unknown = null) => ({ valuesYaml, valuesSchema })

test('what a chart says of its own secrets is not shown, however it says that they are ones', () => {
  const text = `password: tide4711 # not tide4711 again
url: postgres://shop:harbour9@db/shop
# @MASKED
code: north1
berth: south2
# apiToken: "west3"
name: web
`
  const shown = maskedDefaults(version(text, schema))
  for (const secret of ['tide4711', 'harbour9', 'north1', 'south2', 'west3']) expect(shown).not.toContain(secret)
  expect(shown).toContain('name: web\n')
})

test('of two versions it is told that a secret is another one, and no more', () => {
  const before = version('password: tide4711\ntoken: same99\nname: web\n')
  const after = version('password: tide4712\ntoken: same99\nname: shop\n')
  expect(comparedDefaults(before, after)).toEqual({
    before: `password: "${secretMark}"\ntoken: "${secretMark}"\nname: web\n`,
    after: `password: "${secretMark} (changed)"\ntoken: "${secretMark}"\nname: shop\n`,
  })
})

test('what is masked in one version is so in the other', () => {
  const masked = version('# @MASKED\ncode: north1\n')
  for (const [before, after] of [
    [masked, version('code: north1\n')],
    [version('code: north1\n'), masked],
  ] as const)
    expect(JSON.stringify(comparedDefaults(before, after))).not.toContain('north1')
})

test('what nobody can read is not shown at all', () => {
  expect(maskedDefaults(version('password: [tide4711'))).toBeUndefined()
  expect(comparedDefaults(version('a: 1'), version('password: [tide4711'))).toBeUndefined()
})
