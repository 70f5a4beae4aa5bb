import { keptSecret } from '@quayside/contract/values/masking'
import { expect, test } from 'vitest'
import { comparedSides } from './compared-sides.ts'

const defaults = 'password: ""\napi:\n  token:\nname: web\n'

test('a secret that stays is no difference to the chart, whatever stands there', () => {
  const yaml = `password: '${keptSecret}'\napi:\n  token: "${keptSecret}"\nname: web\n`
  const [before, after] = comparedSides({ yaml, schema: undefined, defaults, other: defaults })
  expect(before).toBe(after)
})

test('one that was typed is a difference and is not shown', () => {
  const [before, after] = comparedSides({
    yaml: defaults.replace('""', 'typed'),
    schema: undefined,
    defaults,
    other: defaults,
  })
  expect(before).toBe(defaults)
  expect(after).toBe(defaults.replace('""', `"${keptSecret} (changed)"`))
})

test('what is no YAML at the moment is compared as it stands', () => {
  const yaml = `a: "${keptSecret}"\nb: [`
  expect(comparedSides({ yaml, schema: undefined, defaults, other: defaults })).toEqual([defaults, yaml])
})
