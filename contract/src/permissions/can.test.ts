import { describe, expect, it } from 'vitest'
import { role } from '../http/policy.ts'
import { can, meets, scopesIn } from './can.ts'
import { roleName } from './roles.ts'
import { scopes } from './scopes.ts'
import { controls } from './screens.ts'

const shop = { roles: new Set<string>(), spaces: new Map([['shop', ['space.view', 'app.manage'] as const]]) }
const manages = roleName(role('catalog-apps', 'catalog.deployments.manage'))

describe('what opens something', () => {
  it('is any of its scopes or any of its roles, and nothing when it names none', () => {
    const held = {
      roles: new Set([roleName(role('clusters', 'clusters.view'))]),
      scopes: new Set(['app.view'] as const),
    }
    expect(meets({ anyScope: ['app.manage', 'app.view'] }, held)).toBe(true)
    expect(meets({ anyRole: [role('clusters', 'clusters.view')] }, held)).toBe(true)
    expect(meets({ anyScope: ['app.manage'], anyRole: [role('clusters', 'clusters.edit')] }, held)).toBe(false)
    expect(meets({}, held)).toBe(false)
  })

  it('is held in the space whose list gives it, in no other one, and counts as held somewhere', () => {
    expect(can(controls['app.upgrade'], shop, 'shop')).toBe(true)
    expect(can(controls['app.upgrade'], shop, 'elsewhere')).toBe(false)
    expect(can(controls['app.upgrade'], shop)).toBe(true)
    expect(can(controls['app.deploy'], shop)).toBe(false)
  })

  it('is held in every space by a role that reaches all of them', () => {
    const operator = { roles: new Set([manages]), spaces: new Map() }
    expect(can(controls['app.upgrade'], operator, 'elsewhere')).toBe(true)
    expect(can(controls['space.delete'], operator, 'elsewhere')).toBe(false)
    expect(scopesIn(operator, 'elsewhere')).toEqual(new Set(['space.view', 'app.view', 'app.manage', 'app.secrets']))
  })

  it('lies in no space for somebody whom nothing names', () => {
    const nobody = { roles: new Set<string>(), spaces: new Map() }
    for (const scope of scopes) expect(can({ anyScope: [scope] }, nobody)).toBe(false)
  })
})
