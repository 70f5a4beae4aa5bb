import type { SpaceMember } from '@quayside/contract/permissions/endpoints'
import type { Explanation } from '@quayside/contract/permissions/explain'
import type { Space } from '@quayside/contract/spaces/endpoints'
import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ask, newSpace, type Person, personOf, personWith, spacesPath, user } from '../testing/team.ts'

let world: World
let admin: Person
let owner: Person
let viewer: Person
let inGroup: Person
let stranger: Person
let operator: Person
let space: Space
let groupId: string

beforeAll(async () => {
  world = await World.start({ cluster: false })
  admin = await personOf(world, { realmRoles: ['quayside-admin'] })
  operator = await personOf(world, { realmRoles: ['quayside-operator'] })
  owner = await personOf(world, { clientRoles: { 'quayside-portal-ui-apps': ['apps.create'] } })
  ;[viewer, stranger] = (await Promise.all([1, 2].map(() => personOf(world)))) as [Person, Person]
  const directory = await world.directory()
  await directory.post('/groups', { name: 'Harbour' })
  const [top] = await directory.get<{ id: string }[]>('/groups?search=Harbour')
  groupId = top?.id ?? ''
  await directory.post(`/groups/${groupId}/children`, { name: 'Cranes' })
  const [below] = await directory.get<{ id: string }[]>(`/groups/${groupId}/children`)
  const token = await world.tokenFor({ realmRoles: ['quayside-member'] })
  inGroup = personWith(world, token)
  await directory.put(`/users/${inGroup.id}/groups/${below?.id}`)
  const expiresAt = '2031-05-01T12:00:00.000Z'
  space = await newSpace(owner, [
    { principal: user(viewer), role: 'viewer' },
    { principal: { type: 'group', id: groupId }, role: 'deployer', expiresAt },
  ])
})
afterAll(() => world?.close())

const explain = (who: Person, query: Record<string, string>) => {
  const text = Object.entries(query).map(([key, value]) => `${key}=${value}`)
  return who.call<Explanation>(`/portal-api/v3/explain?${text.join(';')}`)
}
const inSpace = (scope: string, more: Record<string, string> = {}) => ({ scope, place: 'space', id: space.id, ...more })
const named = ({ ways }: Explanation) => ways.map(({ steps }) => steps.map(({ name }) => name).join(' → '))

describe('why somebody may not', () => {
  it('says which way they have, what is missing, which roles hold it and who may grant it', async () => {
    const { body } = await explain(viewer, inSpace('app.manage'))
    expect(body).toMatchObject({
      allowed: false,
      needs: 'app.manage',
      space: { id: space.id, displayName: space.displayName },
      missing: ['app.manage'],
      spaceRoles: [{ id: 'deployer' }, { id: 'manager' }],
      tenantRoles: ['quayside-admin', 'quayside-operator'],
      mayRequest: true,
      openRequestId: null,
    })
    expect(body.ways.map(({ scopes }) => scopes)).toEqual([['space.view', 'app.view']])
    expect(named(body)[0]).toMatch(/ → Viewer$/)
    expect(body.grantors.map(({ id }) => id)).toEqual([owner.id, 'quayside-admin', 'quayside-operator'])
    const { body: request } = await ask(viewer, space, { role: 'deployer', reason: 'To help out' })
    expect((await explain(viewer, inSpace('app.manage'))).body.openRequestId).toBe(request.id)
  })

  it('says that it is allowed by the whole way through a group, and until when', async () => {
    const { body } = await explain(inGroup, inSpace('app.manage'))
    expect(body).toMatchObject({ allowed: true, missing: [], mayRequest: false })
    expect(named(body)[0]).toMatch(/ → Cranes → Harbour → Deployer$/)
    expect(body.ways[0]?.expiresAt).toBe('2031-05-01T12:00:00.000Z')
  })

  it('says what roles of the tenant give, and through which', async () => {
    const { body } = await explain(operator, inSpace('space.deploy'))
    expect(body.allowed).toBe(true)
    expect(named(body)).toContainEqual(expect.stringMatching(/ → quayside-operator → catalog.deploy$/))
    const elevated = (await explain(operator, inSpace('space.deploy.elevated'))).body
    expect(elevated).toMatchObject({
      allowed: false,
      spaceRoles: [],
      tenantRoles: ['quayside-admin'],
      mayRequest: true,
      tenantRolesToAskFor: ['clusters:clusters.edit'],
    })
  })

  it('explains a role of the tenant to the caller', async () => {
    const { body } = await explain(viewer, { role: 'catalog-apps:catalog.publish' })
    expect(body).toMatchObject({
      allowed: false,
      missing: ['catalog-apps:catalog.publish'],
      tenantRoles: ['quayside-admin'],
      // Operators hold roles of other sections and manage nobody's.
      grantors: [
        { type: 'user', name: 'Portal Administrator' },
        { type: 'role', id: 'quayside-admin' },
      ],
      mayRequest: true,
      tenantRolesToAskFor: ['catalog-apps:catalog.publish'],
    })
    const allowed = (await explain(viewer, { role: 'catalog-apps:catalog.view' })).body
    expect(allowed.allowed).toBe(true)
    expect(named(allowed)[0]).toMatch(/ → quayside-member → catalog.view$/)
  })

  it('says of what somebody does not see what it says of nothing', async () => {
    for (const place of ['space', 'app', 'action']) {
      const [there, nowhere] = await Promise.all(
        [space.id, 'zzzzzzz'].map((id) => explain(stranger, { scope: 'space.view', place, id })),
      )
      expect({ ...there?.body, requestId: '' }).toEqual({ ...nowhere?.body, requestId: '' })
      expect(there?.status).toBe(404)
    }
  })

  it('is told of somebody else to who may change the members alone', async () => {
    const about = inSpace('app.manage', { user: inGroup.id })
    expect((await explain(viewer, about)).status).toBe(403)
    expect((await explain(stranger, about)).status).toBe(404)
    const { body } = await explain(owner, about)
    expect(body).toMatchObject({ allowed: true, person: { id: inGroup.id } })
    expect((await explain(owner, inSpace('app.manage', { user: stranger.id }))).body).toMatchObject({
      allowed: false,
      ways: [],
    })
    expect((await explain(owner, inSpace('app.view', { user: 'nobody' }))).body).toMatchObject({
      code: 'iam.user-not-found',
    })
  })

  it.each([
    ['nothing', {}, 'scope'],
    ['both', { scope: 'app.view', role: 'apps:access', place: 'space', id: 'x' }, 'scope'],
    ['a scope nowhere', { scope: 'app.view' }, 'id'],
    ['an unknown scope', { scope: 'app.fly', place: 'space', id: 'x' }, 'scope'],
    ['an unknown section', { role: 'kitchen:access' }, 'role'],
    ['an unknown role', { role: 'catalog-apps:nope' }, 'role'],
    ['a role of another section', { role: 'apps:clusters.edit' }, 'role'],
    ['a role of somebody else', { role: 'apps:access', user: 'x' }, 'user'],
  ])('asked for %s it refuses', async (_, query, field) => {
    expect(await explain(admin, query)).toMatchObject({ status: 400, body: { field } })
  })
})

describe('who can do what here', () => {
  it('names everybody of the list, of its groups, and those whom roles of the tenant bring', async () => {
    const { body } = await owner.call<{ data: SpaceMember[]; isCut: boolean }>(`${spacesPath}/${space.id}/members`)
    const found = (who: Person) => body.data.find(({ person }) => person.id === who.id)
    expect(found(owner)).toMatchObject({ owner: true, scopes: expect.arrayContaining(['space.delete']) })
    expect(found(viewer)).toMatchObject({ owner: false, scopes: ['space.view', 'app.view'] })
    expect(
      found(inGroup)
        ?.ways[0]?.steps.map(({ name }) => name)
        .slice(1),
    ).toEqual(['Cranes', 'Harbour', 'Deployer'])
    expect(found(operator)?.scopes).toEqual(expect.arrayContaining(['space.deploy', 'space.members']))
    expect(found(admin)?.scopes).toContain('space.deploy.elevated')
    expect(found(admin)?.ways.every(({ permissionId }) => permissionId === null)).toBe(true)
    expect(found(stranger)).toBeUndefined()
    expect(body.isCut).toBe(false)
  })
})
