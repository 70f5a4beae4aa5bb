import { role } from '@quayside/contract/http/policy'
import type { RequiredAction } from '@quayside/contract/users/rules'
import { type Keycloak, KeycloakRefused } from '../../adapters/keycloak/keycloak.ts'
import { refusalOf } from '../../adapters/keycloak/refusal.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import { fail } from '../../platform/http/errors.ts'
import { mustBeOwnRealm } from '../../platform/http/realm-of.ts'
import type { People } from '../permissions/index.ts'
import type { Users } from './index.ts'

const right = role('iam-users', 'users.credentials.manage')

/** Mail with a link by which people set a password and do other things. */
export function createActionMail(keycloak: Keycloak, users: Pick<Users, 'represented'>, people: People) {
  async function hasMailServer(realm: string): Promise<boolean> {
    const settings: { host?: string } | undefined = (await keycloak.run((kc) => kc.realms.findOne({ realm })))
      ?.smtpServer
    return Boolean(settings?.host)
  }

  return {
    /** The link goes to the person's own address, and opens nothing to who sends it. */
    async send(actor: Actor, about: { id: string; realm?: string }, actions: readonly RequiredAction[]): Promise<void> {
      const { realm } = actor
      const { id } = about
      mustBeOwnRealm(actor, about.realm)
      const found = await users.represented(realm, id)
      if (!found.email) throw fail('iam.no-mail', { message: 'This person has no e-mail address.' })
      if (!found.enabled) throw fail('iam.no-mail', { message: 'This person is disabled.' })
      await people.change(actor, { right, kind: 'takes', about: id }, async (judged) => {
        await judged.mustNotBeBelow(id)
        try {
          await keycloak.run((kc) => kc.users.executeActionsEmail({ realm, id, actions: [...actions] }))
        } catch (error) {
          if (!(error instanceof KeycloakRefused && [429, 500].includes(error.status))) throw refusalOf(error)
          const message = (await hasMailServer(realm))
            ? `The identity server could not send mail: ${error.message}`
            : 'There is no mail server. Set one under Login Settings, E-mail.'
          throw fail('iam.no-mail', { message, cause: error })
        }
      })
    },
  }
}
export type ActionMail = ReturnType<typeof createActionMail>
