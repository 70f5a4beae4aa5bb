import { expect, it } from 'vitest'
import { readManifest } from '../../../adapters/helm/manifest.ts'
import { isMade, waitsForOwnAccount } from './dry-run-rules.ts'

const object = (kind: string, name: string, hook?: string) =>
  `apiVersion: v1\nkind: ${kind}\nmetadata:\n  name: ${name}\n${hook === undefined ? '' : `  annotations:\n    helm.sh/hook: ${hook}\n`}`

it.each([
  [undefined, true],
  ['pre-install', true],
  ['"post-install, post-upgrade"', true],
  ['test', false],
  ['test-success', false],
  ['pre-delete', false],
  ['"pre-rollback,test"', false],
])('an object with the hook %s is made by an installation: %s', (hook, made) => {
  expect(readManifest(object('Pod', 'one', hook)).map(isMade)).toEqual([made])
})

it('a service account that the chart brings is no reason to refuse what runs as it', () => {
  const objects = readManifest(object('ServiceAccount', 'own'))
  const refusal = (name: string) =>
    `pods "job" is forbidden: error looking up service account shop/${name}: serviceaccount "${name}" not found`
  expect(waitsForOwnAccount(refusal('own'), objects)).toBe(true)
  expect(waitsForOwnAccount(refusal('other'), objects)).toBe(false)
  expect(waitsForOwnAccount('pods "job" is forbidden: exceeded quota', objects)).toBe(false)
})
