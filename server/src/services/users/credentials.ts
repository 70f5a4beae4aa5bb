import { role } from '@quayside/contract/http/policy'
import type { Credential, LinkedIdentity } from '@quayside/contract/users/credentials'
import { isGone } from '../../adapters/keycloak/gone.ts'
import type { Keycloak } from '../../adapters/keycloak/keycloak.ts'
import { refusalOf } from '../../adapters/keycloak/refusal.ts'
import { serviceAccountOf, toCredential } from '../../adapters/keycloak/representations.ts'
import { endOtherWaysIn, linkedIdentitiesOf, removeLink } from '../../adapters/keycloak/sign-in/ways-in.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import { fail } from '../../platform/http/errors.ts'
import { mustBeOwnRealm } from '../../platform/http/realm-of.ts'
import type { People } from '../permissions/index.ts'
import type { Users } from './index.ts'

const manages = role('iam-users', 'users.credentials.manage')

interface About {
  id: string
  /** The realm that the path names; it can only be that of the tenant. */
  realm?: string | undefined
}

/** How a user signs in. */
export function createCredentials(keycloak: Keycloak, users: Pick<Users, 'represented'>, people: People) {
  /** Does something with the credentials of somebody else who reaches nothing beyond the caller. */
  async function open(actor: Actor, { id, realm = actor.realm }: About, work: () => Promise<unknown>): Promise<void> {
    mustBeOwnRealm(actor, realm)
    if (serviceAccountOf(await users.represented(realm, id)) !== null)
      throw fail('iam.service-account', { field: 'id' })
    if (id === actor.userId) throw fail('iam.own-account')
    await people.change(actor, { right: manages, kind: 'gives', about: id }, async (judged) => {
      await judged.mayTakeOver(id)
      await work()
    })
  }

  return {
    async links({ realm }: Actor, id: string): Promise<LinkedIdentity[]> {
      await users.represented(realm, id)
      return linkedIdentitiesOf(keycloak, { realm, id })
    },

    /** Sessions end: they may have begun at that provider. */
    async unlink(actor: Actor, { id, provider }: { id: string; provider: string }): Promise<void> {
      const { realm } = actor
      await open(actor, { id }, async () => {
        if (!(await removeLink(keycloak, { realm, id }, provider)))
          throw fail('iam.link-not-found', { field: 'provider' })
        await keycloak.run((kc) => kc.users.logout({ realm, id }))
      })
    },

    async list({ realm }: Actor, id: string): Promise<Credential[]> {
      await users.represented(realm, id)
      const found = await keycloak.run((kc) => kc.users.getCredentials({ realm, id }))
      return found.map(toCredential)
    },

    /** Sessions end: they began with what is removed. */
    async remove(actor: Actor, { id, cid }: { id: string; cid: string }): Promise<void> {
      const { realm } = actor
      await open(actor, { id }, async () => {
        const known = await keycloak.run((kc) => kc.users.getCredentials({ realm, id }))
        if (!known.some((one) => one.id === cid)) throw fail('iam.credential-not-found', { field: 'cid' })
        await keycloak.run((kc) => kc.users.deleteCredential({ realm, id, credentialId: cid })).catch(unlessGone)
        await keycloak.run((kc) => kc.users.logout({ realm, id }))
      })
    },

    /** Sessions that began with the old password end, and so do other ways in: the owner notices, and links anew. */
    async resetPassword(actor: Actor, about: About, password: { value: string; temporary: boolean }): Promise<void> {
      const { realm } = actor
      const { id } = about
      await open(actor, about, async () => {
        const credential = { type: 'password', value: password.value, temporary: password.temporary }
        try {
          await keycloak.run((kc) => kc.users.resetPassword({ realm, id, credential }))
        } catch (error) {
          throw refusalOf(error, 'value')
        }
        const logout = () => keycloak.run((kc) => kc.users.logout({ realm, id }))
        // Sessions of the old password end, whatever else fails.
        await endOtherWaysIn(keycloak, { realm, id }).finally(logout)
      })
    },

    async disable(actor: Actor, about: About, types: readonly ('password' | 'otp')[]): Promise<void> {
      const { realm } = actor
      const { id } = about
      await open(actor, about, async () => {
        // Keycloak's own call for this leaves passwords where they are.
        const known = await keycloak.run((kc) => kc.users.getCredentials({ realm, id }))
        for (const one of known.filter(({ type }) => types.some((each) => each === type)))
          await keycloak
            .run((kc) => kc.users.deleteCredential({ realm, id, credentialId: one.id ?? '' }))
            .catch(unlessGone)
        await keycloak.run((kc) => kc.users.logout({ realm, id }))
      })
    },
  }
}
export type Credentials = ReturnType<typeof createCredentials>

/** One that somebody else has removed meanwhile is removed. */
function unlessGone(error: unknown): void {
  if (!isGone(error)) throw refusalOf(error)
}
