import type { Revision } from '@quayside/contract/deployments/endpoints'
import { expect, it } from 'vitest'
import { laterRevision, overMeanwhile } from './meanwhile.ts'

const revision = (number: number, installed: boolean) => ({ revision: number, installed }) as Revision

it('only a later revision that counts was deployed meanwhile', () => {
  const all = [revision(6, false), revision(5, true), revision(4, false)]
  expect(laterRevision(all, 4)?.revision).toBe(5)
  // Its own failed try, an older list than the wizard, an app that was never deployed.
  expect([5, 6, null, undefined].map((base) => laterRevision(all, base))).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ])
  expect(laterRevision(undefined, 4)).toBeUndefined()
})

const before = 'replicas: 3\nport: 80\npassword: a\n'

it('what somebody else has deployed stays, with the own edits over it', () => {
  const theirs = before.replace('3', '4')
  const merged = overMeanwhile({ before, yours: before.replace('80', '81'), theirs, schema: null })
  expect(merged?.yaml).toBe('replicas: 4\nport: 81\npassword: a\n')
  expect(merged?.merge.conflicts).toEqual([])
})

it('what both have changed is asked, and keeps the own value until then', () => {
  const schema = { properties: { password: { type: 'string', writeOnly: true } } }
  const theirs = before.replace('3', '4')
  const merged = overMeanwhile({ before, yours: before.replace('3', '5'), theirs, schema })
  expect(merged?.yaml).toBe(before.replace('3', '5'))
  expect(merged?.merge.conflicts).toMatchObject([{ path: ['replicas'], before: 3, yours: 5, theirs: 4 }])
  expect(merged?.merge.secrets).toEqual([['password']])
})

it('a text that cannot be read is merged with nothing', () => {
  expect(overMeanwhile({ before, yours: 'replicas: [1', theirs: before, schema: null })).toBeUndefined()
})
