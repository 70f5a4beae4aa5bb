import type UserRepresentation from '@keycloak/keycloak-admin-client/lib/defs/userRepresentation.js'
import { role } from '@quayside/contract/http/policy'
import type { UserChange, UserDetail, UserInput } from '@quayside/contract/users/endpoints'
import type { Keycloak } from '../../adapters/keycloak/keycloak.ts'
import { withOwnAttributes } from '../../adapters/keycloak/own-attributes.ts'
import { refusalOf } from '../../adapters/keycloak/refusal.ts'
import { serviceAccountOf, toUserDetail } from '../../adapters/keycloak/representations.ts'
import { type Actor, holds } from '../../platform/auth/actor.ts'
import { fail } from '../../platform/http/errors.ts'
import type { Judged, People } from '../permissions/index.ts'
import type { Users } from './index.ts'

const iam = <R extends Parameters<typeof role<'iam-users'>>[1]>(name: R) => role('iam-users', name)

/** Creating, changing and deleting users. */
export function createUserAdministration(keycloak: Keycloak, users: Pick<Users, 'represented'>, people: People) {
  const detail = (actor: Actor, found: UserRepresentation) =>
    toUserDetail(found, holds(actor, 'iam-users', 'users.attributes.view'))

  /** A person whom users administration may change: the account of a script is changed with its client. */
  async function person(realm: string, id: string): Promise<UserRepresentation> {
    const found = await users.represented(realm, id)
    if (serviceAccountOf(found) !== null) throw fail('iam.service-account', { field: 'id' })
    return found
  }

  return {
    get: async (actor: Actor, id: string): Promise<UserDetail> =>
      detail(actor, await users.represented(actor.realm, id)),

    async getByName(actor: Actor, username: string): Promise<UserDetail> {
      const { realm } = actor
      const found = await keycloak.run((kc) => kc.users.find({ realm, username, exact: true }))
      const id = found.find((each) => each.username?.toLowerCase() === username.toLowerCase())?.id
      if (id === undefined) throw fail('iam.user-not-found', { field: 'username' })
      return detail(actor, await users.represented(realm, id))
    },

    /** Creates a user in their groups; when a later part fails, nothing is left. */
    async create(actor: Actor, input: UserInput): Promise<UserDetail> {
      const { realm } = actor
      const also = [
        ...(input.groups.length > 0 ? [iam('users.groups.manage')] : []),
        ...(Object.keys(input.attributes).length > 0 ? [iam('users.attributes.manage')] : []),
        ...(input.password ? [iam('users.credentials.manage')] : []),
      ]
      const id = await people.change(actor, { right: iam('users.create'), also, kind: 'gives' }, async (judged) => {
        for (const group of input.groups) await judged.mayGiveGroup(group, 'groups')
        await judged.mayGiveDefaultGroups('groups')
        const userId = await createdUser(keycloak, realm, input)
        try {
          for (const groupId of input.groups)
            await keycloak.run((kc) => kc.users.addToGroup({ realm, id: userId, groupId }))
          mustBeKept(input.attributes, await users.represented(realm, userId))
        } catch (error) {
          await keycloak.run((kc) => kc.users.del({ realm, id: userId }))
          throw refusalOf(error)
        }
        return userId
      })
      return detail(actor, await users.represented(realm, id))
    },

    async update(actor: Actor, id: string, change: UserChange): Promise<UserDetail> {
      const { realm } = actor
      const also = change.attributes ? [iam('users.attributes.manage')] : []
      await person(realm, id)
      const kind = mayOpenAccount(change) ? 'gives' : 'takes'
      await people.change(actor, { right: iam('users.edit'), also, kind, about: id }, async (judged) => {
        const known = await person(realm, id)
        await mayChange(judged, id, known, change)
        const after = applied(known, change)
        try {
          await keycloak.run((kc) => kc.users.update({ realm, id }, after))
          if (change.enabled === false || asksForMore(known, change))
            await keycloak.run((kc) => kc.users.logout({ realm, id }))
          if (change.attributes) mustBeKept(change.attributes, await users.represented(realm, id))
        } catch (error) {
          throw refusalOf(error)
        }
      })
      return detail(actor, await users.represented(realm, id))
    },

    async remove(actor: Actor, id: string): Promise<void> {
      const { realm } = actor
      await person(realm, id)
      await people.change(actor, { right: iam('users.delete'), kind: 'takes', about: id }, async (judged) => {
        await mustNotShutOut(judged, id)
        await keycloak.run((kc) => kc.users.del({ realm, id })).catch(refuse)
      })
    },
  }
}
export type UserAdministration = ReturnType<typeof createUserAdministration>

async function createdUser(keycloak: Keycloak, realm: string, input: UserInput): Promise<string> {
  if (serviceAccountOf({ username: input.username.toLowerCase() }) !== null)
    throw fail('request.invalid', {
      field: 'username',
      message: 'username: names that begin so are those of service accounts',
    })
  const { groups: _, password, ...profile } = input
  const wanted = {
    ...profile,
    attributes: withOwnAttributes(profile.attributes),
    email: profile.email ?? '',
    firstName: profile.firstName ?? '',
    lastName: profile.lastName ?? '',
    ...(password ? { credentials: [{ type: 'password', ...password }] } : {}),
  }
  try {
    return (await keycloak.run((kc) => kc.users.create({ realm, ...wanted }))).id
  } catch (error) {
    throw refusalOf(error, isAboutPassword(error) ? 'password.value' : undefined)
  }
}

/** Somebody who can no longer sign in: not the caller, nobody above them, and not the last administrator. */
async function mustNotShutOut(judged: Judged, id: string): Promise<void> {
  if (id === judged.actor.userId) throw fail('iam.own-account')
  const { roles } = await judged.mustNotBeBelow(id)
  if (roles.some((way) => way.id === 'quayside-admin'))
    await judged.mustLeaveAnAdministrator(({ person }) => person.id === id)
}

/** @param known the user at this moment: a person may just have changed their own address */
async function mayChange(judged: Judged, id: string, known: UserRepresentation, change: UserChange): Promise<void> {
  if (opensAccount(known, change)) await judged.mayTakeOver(id)
  else await judged.mustNotBeBelow(id)
  if (change.enabled === false) await mustNotShutOut(judged, id)
}

const mayOpenAccount = ({ attributes, email, emailVerified }: UserChange) =>
  attributes !== undefined || email !== undefined || emailVerified === true

/** An address is a way to a new password, and attributes become claims: whoever sets them can be the person. */
function opensAccount(before: UserRepresentation, change: UserChange): boolean {
  if (change.attributes !== undefined) return true
  if (change.email !== undefined && (change.email ?? '') !== (before.email ?? '')) return true
  return change.emailVerified === true && before.emailVerified !== true
}

/** An action that is asked at the next sign-in comes after the password: a session that is open would not need it. */
function asksForMore(known: UserRepresentation, { requiredActions = [] }: UserChange): boolean {
  const before = new Set((known.requiredActions ?? []).map(String))
  return requiredActions.some((action) => !before.has(action))
}

/** The user as it is to be; an empty text is how the identity server is told to forget a value. */
function applied(known: UserRepresentation, change: UserChange): UserRepresentation {
  const { email, firstName, lastName, ...rest } = change
  const texts = Object.entries({ email, firstName, lastName }).filter(([, value]) => value !== undefined)
  const given = Object.entries(rest).filter(([, value]) => value !== undefined)
  return {
    ...known,
    ...Object.fromEntries(texts.map(([field, value]) => [field, value ?? ''])),
    ...Object.fromEntries(given),
    ...(change.attributes ? { attributes: withOwnAttributes(change.attributes, known.attributes) } : {}),
  }
}

/** Keycloak leaves out attributes that the user profile of its realm does not allow, and says nothing. */
function mustBeKept(wanted: Record<string, string[]>, kept: UserRepresentation): void {
  const lost = Object.keys(wanted).find((name) => !(name in (kept.attributes ?? {})))
  if (lost === undefined) return
  const field = `attributes.${lost}`
  throw fail('request.invalid', {
    field,
    message: `${field}: the user profile of the realm does not allow this attribute, so the identity server left it out`,
  })
}

const isAboutPassword = (error: unknown) => error instanceof Error && /password/i.test(error.message)

function refuse(error: unknown): never {
  throw refusalOf(error)
}
