import { expect, it } from 'vitest'
import { installedRevision, mustBeInstalled } from './base-revision.ts'

const revisions = (...statuses: string[]) =>
  statuses.map((status, index) => ({ status, revision: statuses.length - index }))

it('a revision that failed is not the installed one, unless no other is', () => {
  expect(installedRevision(revisions('failed', 'deployed', 'superseded'))).toBe(2)
  expect(installedRevision(revisions('failed', 'superseded'))).toBe(2)
  expect(installedRevision([])).toBeNull()
})

it('refuses a command that was made for another revision, and only that', () => {
  const all = revisions('deployed', 'superseded')
  for (const base of [2, null, undefined]) expect(() => mustBeInstalled(all, base)).not.toThrow()
  for (const base of [1, 3])
    expect(() => mustBeInstalled(all, base)).toThrow(expect.objectContaining({ code: 'deployment.revision-changed' }))
  expect(() => mustBeInstalled([], 1)).toThrow(expect.objectContaining({ code: 'deployment.revision-changed' }))
})
