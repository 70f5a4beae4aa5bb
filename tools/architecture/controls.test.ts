import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { allRoles } from '@quayside/contract/permissions/roles'
import { controls } from '@quayside/contract/permissions/screens'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const isTest = (path: string) => /\.test\.tsx?$|\/testing\//.test(path)
const sources = globSync('web/src/**/*.{ts,tsx}', { cwd: root })
  .filter((path) => !isTest(path))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

/** The one module that reads what the table of controls says. */
const reader = 'web/src/api/permissions/my-scopes.ts'

describe('the browser asks the table of controls and nothing else', () => {
  it.each(Object.keys(controls).filter((id) => !id.startsWith('action.')))('%s is asked for', (id) => {
    expect(sources.filter(({ text }) => text.includes(`'${id}'`)).map(({ path }) => path)).not.toEqual([])
  })

  it('no page names a role of the tenant or what a control needs', () => {
    const roles = allRoles.filter(({ role }) => role !== 'access').map(({ role }) => role)
    const named = sources.flatMap(({ path, text }) =>
      [...roles.flatMap((role) => [`'${role}'`, `:${role}'`]), 'anyRole:', 'anyScope:']
        .filter((word) => text.includes(word) && path !== reader)
        .map((word) => `${path}: ${word}`),
    )
    expect(named).toEqual([])
  })
})
