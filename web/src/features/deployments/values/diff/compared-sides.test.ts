import { secretMark } from '@quayside/values/secrets/secret-mark'
import { expect, test } from 'vitest'
import { comparedSides } from './compared-sides.ts'

const defaults = 'password: ""\napi:\n  token:\nname: web\n'

test('a secret that stays is no difference to the chart, whatever stands there', () => {
  const yaml = `password: '${secretMark}'\napi:\n  token: "${secretMark}"\nname: web\n`
  const [before, after] = comparedSides({ yaml, schema: undefined, defaults, other: defaults }) ?? []
  expect(before).toBe(after)
  expect(before).toContain('name: web')
})

test('one that was typed is a difference and is not shown', () => {
  const typed = { yaml: defaults.replace('""', 'typed'), schema: undefined, defaults, other: defaults }
  const [before, after] = comparedSides(typed) ?? []
  expect(before).toBe(defaults)
  expect(after).toBe(defaults.replace('""', `"${secretMark} (changed)"`))
})

test('a secret of the chart itself is none of what is shown, whether the chart says so or its schema', () => {
  const chart = 'password: tide4711\n# @MASKED\ncode: north1 # or north1\nberth: south2\nname: web\n'
  const schema = { properties: { berth: { type: 'string', format: 'password' } } }
  const yaml = chart.replace('# @MASKED\n', '').replace('tide4711', 'other1').replace('web', 'shop')
  for (const other of [chart, yaml]) {
    const sides = comparedSides({ yaml, schema, defaults: chart, other })
    expect(sides?.join('')).not.toMatch(/tide4711|other1|north1|south2/)
    expect(sides?.join('')).toContain('name: shop')
  }
})

test('what is no YAML at the moment is not compared: nobody knows where its secrets stand', () => {
  const yaml = 'password: typed1\nb: ['
  expect(comparedSides({ yaml, schema: undefined, defaults, other: defaults })).toBeUndefined()
})
