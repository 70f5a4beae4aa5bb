import { readYamlValue } from '@quayside/contract/values/yaml-document'
import { expect, test } from 'vitest'
import { changesAgainst } from './overlay.ts'

const defaults = '# how many\nreplicas: 1\nimage:\n  tag: "1.0" # the tag\n  pull: Always\nextra:\n'

test('only what somebody changed is carried to another version', () => {
  const mine = { replicas: 3, image: { tag: '1.0', pull: 'Always' }, extra: { a: 1 }, list: [1] }
  expect(changesAgainst(mine, readYamlValue(defaults))).toEqual({ replicas: 3, extra: { a: 1 }, list: [1] })
})
