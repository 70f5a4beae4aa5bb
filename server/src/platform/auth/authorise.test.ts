import { inPlace, role } from '@quayside/contract/http/policy'
import { roleName } from '@quayside/contract/permissions/roles'
import { type Scope, scopes } from '@quayside/contract/permissions/scopes'
import { describe, expect, it } from 'vitest'
import type { Actor } from './actor.ts'
import { authorise } from './authorise.ts'
import type { Rights } from './rights.ts'

const actor = { resourceRoles: new Set() } as unknown as Actor

/** Rights of somebody who holds every scope in each space of their tenant, in which only the apps `seen` exist. */
function holdingAll(...seen: string[]): Rights {
  const all: ReadonlySet<Scope> = new Set(scopes)
  return {
    everywhere: () => all,
    at: async (_actor: unknown, _kind: unknown, ids: readonly string[]) =>
      new Map(ids.filter((id) => seen.includes(id)).map((id) => [id, all])),
  } as unknown as Rights
}

describe('a call that names a thing', () => {
  const policy = inPlace('app', 'body.apps[].id', 'app.manage')
  const call = (...ids: string[]) => ({ params: {}, query: {}, body: { apps: ids.map((id) => ({ id })) } })

  it('is let through for what exists', async () => {
    const access = await authorise(holdingAll('a', 'b'), policy, actor, call('a', 'b'))
    expect(access.at('b').has('app.manage')).toBe(true)
  })

  it('is answered "not found" when one of the things is not of the tenant, whatever the caller holds everywhere', async () => {
    const refused = authorise(holdingAll('a'), policy, actor, call('a', 'of-another-tenant'))
    await expect(refused).rejects.toMatchObject({ code: 'app.not-found', field: 'apps[].id' })
  })

  it('is refused without an id, and names the field', async () => {
    await expect(authorise(holdingAll('a'), policy, actor, call())).rejects.toMatchObject({
      code: 'request.invalid',
      field: 'apps[].id',
    })
  })
})

it('a role that opens the call needs no scope where the thing is', async () => {
  const opens = role('clusters', 'clusters.view')
  const policy = inPlace('cluster', 'params.id', 'app.manage', { orRole: [opens] })
  const viewer = { resourceRoles: new Set([roleName(opens)]) } as unknown as Actor
  const access = await authorise(holdingAll(), policy, viewer, { params: { id: 'c' }, query: {}, body: {} })
  expect(access.scopes.has('app.manage')).toBe(true)
})
