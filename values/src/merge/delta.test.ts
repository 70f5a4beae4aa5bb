import { expect, test } from 'vitest'
import { secretMark } from '../secrets/secret-mark.ts'
import { shareableChanges } from './delta.ts'

const defaults = '# @MASKED\ncode: ""\nreplicas: 1\nimage:\n  tag: a\n  pull: x\nusers: []\nadminPassword: ""\n'

test('only what was changed is shared, and never a secret', () => {
  const own = `code: s3cret\nreplicas: 2\nimage:\n  tag: b\n  pull: x\nusers:\n  - name: a\n    password: hidden\nadminPassword: geheim\nextra: ${secretMark}\n`
  expect(shareableChanges(own, defaults, undefined)).toBe('replicas: 2\nimage:\n  tag: b\n')
})

test('what the schema or the person’s own comment says is secret stays too', () => {
  const schema = { properties: { key: { type: 'string', writeOnly: true } } }
  expect(shareableChanges('key: a\n# @MASKED\nmine: b\nlist: [1]\n', defaults, schema)).toBe('list:\n  - 1\n')
  expect(shareableChanges(defaults, defaults, undefined)).toBe('')
})
