import type { Directory } from '@quayside/embedded/directory-client'
import { signInAsPerson } from '@quayside/embedded/person-tokens'
import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, expect, it } from 'vitest'

/** Realm roles that people hold and hand out. */
const roles = ['quayside-admin', 'quayside-operator', 'quayside-viewer'] as const
type Role = (typeof roles)[number]
const mostSteps = Number(process.env.GRANT_STEPS ?? 40)
const seed = Number(process.env.GRANT_SEED ?? 7)

interface Person {
  id: string
  token: string
  held: Set<Role>
  enabled: boolean
}

let world: World
let directory: Directory
let roleOf: Map<Role, object>

beforeAll(async () => {
  world = await World.start({ cluster: false })
  directory = await world.directory()
  const found = await Promise.all(roles.map((name) => directory.get<object>(`/roles/${name}`)))
  roleOf = new Map(roles.map((name, index) => [name, found[index] ?? {}]))
})
afterAll(() => world?.close())

/** The same numbers in every run. */
function random(from: number): (below: number) => number {
  let state = from
  return (below) => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return Math.floor((state / 2 ** 32) * below)
  }
}

async function person(held: Role[]): Promise<Person> {
  const rights = { 'quayside-portal-ui-iam-users': ['users.create', 'users.delete'] }
  const made = await world.personWith({ realmRoles: held, clientRoles: rights })
  const [user] = await directory.get<{ id: string }[]>(`/users?exact=true&username=${made.username}`)
  const { access_token: token } = await signInAsPerson(world, made)
  return { id: user?.id ?? '', token, held: new Set(held), enabled: true }
}

/** An administrator holds everything that is in the other roles, an operator everything that is in a viewer's. */
const covers: Record<Role, readonly Role[]> = {
  'quayside-admin': roles,
  'quayside-operator': ['quayside-operator', 'quayside-viewer'],
  'quayside-viewer': ['quayside-viewer'],
}
const mayGrant = ({ held }: Person, wanted: Role) => [...held].some((role) => covers[role].includes(wanted))

const mappings = (id: string) => `/users/${id}/role-mappings/realm`
const rolesOfClient = async (clientId: string): Promise<string[] | undefined> => {
  const [client] = await directory.get<{ id: string; enabled: boolean }[]>(`/clients?clientId=${clientId}`)
  if (!client?.enabled) return undefined
  const account = await directory.get<{ id: string }>(`/clients/${client.id}/service-account-user`)
  const held = await directory.get<{ name: string }[]>(mappings(account.id))
  return held.map(({ name }) => name).filter((name) => name.startsWith('quayside-'))
}

it(`hands out nothing that is not held, in ${mostSteps} random steps of grants and revocations`, async () => {
  const next = random(seed)
  const people = await Promise.all([
    person(['quayside-admin']),
    person(['quayside-operator']),
    person(['quayside-viewer']),
    person([]),
  ])
  let clients = 0
  const pick = <T>(list: readonly T[]) => list[next(list.length)] as T
  const create = async (who: Person, wanted: Role) => {
    const clientId = `random-${clients++}`
    const answer = await world.api('/iam/v2/clients', {
      token: who.token,
      body: { clientId, realmRoles: [wanted] },
    })
    return { clientId, status: answer.status }
  }
  const change = async (who: Person, role: Role) => {
    const body = [roleOf.get(role)]
    if (who.held.delete(role)) await directory.remove(mappings(who.id), body)
    else {
      await directory.post(mappings(who.id), body)
      who.held.add(role)
    }
  }

  for (let step = 0; step < mostSteps; step += 1) {
    const [who, role] = [pick(people), pick(roles)]
    const told = `step ${step} of seed ${seed}: ${[...who.held]} and ${role}`
    const draw = next(10)
    if (draw < 4) await change(who, role)
    else if (draw === 4) {
      who.enabled = !who.enabled
      await directory.put(`/users/${who.id}`, { enabled: who.enabled })
      // A disabled account stays signed out.
      if (!who.enabled) people.splice(people.indexOf(who), 1, await person([...who.held]))
    } else if (draw < 8) {
      const may = mayGrant(who, role)
      const { clientId, status } = await create(who, role)
      expect(status, told).toBe(may ? 201 : 403)
      expect(await rolesOfClient(clientId), told).toEqual(may ? [role] : undefined)
    } else {
      // A grant and a revocation side by side: whoever is first decides, and the answer says what is there.
      const before = mayGrant(who, role)
      const [{ clientId, status }] = await Promise.all([create(who, role), change(who, pick(roles))])
      const either = before || mayGrant(who, role)
      expect(either ? [201, 403] : [403], told).toContain(status)
      expect(await rolesOfClient(clientId), told).toEqual(status === 201 ? [role] : undefined)
    }
  }
  expect(clients).toBeGreaterThan(mostSteps / 4)
}, 240_000)
