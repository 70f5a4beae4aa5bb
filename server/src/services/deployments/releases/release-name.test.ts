import { ReleaseName } from '@quayside/contract/deployments/deploy-data'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { releaseNameOf } from './release-name.ts'

test.each([
  ['My App', 'my-app-abc1234'],
  ['  --Überraschung! (v2) ', 'uberraschung-v2-abc1234'],
  ['日本', 'abc1234'],
  ['a'.repeat(80), `${'a'.repeat(45)}-abc1234`],
  [`${'a'.repeat(44)} b`, `${'a'.repeat(44)}-abc1234`],
  ['--kubeconfig=/etc/passwd', 'kubeconfig-etc-passwd-abc1234'],
])('%s becomes %s', (name, expected) => {
  expect(releaseNameOf(name, 'abc1234')).toBe(expected)
})

test('whatever the name, Helm accepts what is made of it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (name) => {
      const release = releaseNameOf(name, 'abc1234')
      expect(ReleaseName.safeParse(release).success).toBe(true)
      expect(release).toBe(releaseNameOf(name, 'abc1234'))
    }),
  )
})
