import type UserRepresentation from '@keycloak/keycloak-admin-client/lib/defs/userRepresentation.js'
import type { Currency } from '@quayside/contract/account/currency'
import type { Account, Activity } from '@quayside/contract/account/endpoints'
import type { Consent, Credential } from '@quayside/contract/users/credentials'
import type { UserChange } from '@quayside/contract/users/endpoints'
import type { RequiredAction } from '@quayside/contract/users/rules'
import { isGone } from '../../adapters/keycloak/gone.ts'
import { type Keycloak, KeycloakRefused } from '../../adapters/keycloak/keycloak.ts'
import { refusalOf } from '../../adapters/keycloak/refusal.ts'
import { serviceAccountOf, toConsent, toCredential } from '../../adapters/keycloak/representations.ts'
import { passkeyType } from '../../adapters/keycloak/sign-in/ways-in.ts'
import { actingFor } from '../../platform/auth/acting-for.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import { grantsOf } from '../../platform/auth/escalation.ts'
import type { Exclusive } from '../../platform/db/exclusive.ts'
import { fail } from '../../platform/http/errors.ts'
import type { PersonalAccount } from './index.ts'

const mostActivities = 100

/** Events about signing in that people look for; exchanges and renewals of tokens are left out. */
const eventTypes = [
  ...['LOGIN', 'LOGIN_ERROR', 'LOGOUT', 'UPDATE_PASSWORD', 'UPDATE_PASSWORD_ERROR', 'UPDATE_TOTP', 'REMOVE_TOTP'],
  ...['UPDATE_PROFILE', 'UPDATE_EMAIL', 'UPDATE_CREDENTIAL', 'REMOVE_CREDENTIAL', 'REVOKE_GRANT'],
  ...['FEDERATED_IDENTITY_LINK', 'REMOVE_FEDERATED_IDENTITY'],
]

const asUser = ({ realm, userId }: Actor) => ({ realm, id: userId })

/** Reading and changing the account of somebody who signs in. */
function createChange(keycloak: Keycloak, exclusive: Exclusive) {
  async function person(actor: Actor) {
    const found = await keycloak.run((kc) => kc.users.findOne(asUser(actor)))
    if (!found) throw fail('iam.user-not-found')
    if (serviceAccountOf(found) !== null) throw fail('iam.service-account')
    return found
  }

  /**
   * Changes the account while nobody else does, and sends nothing but what the person may change: what an administrator
   * decides meanwhile stays.
   */
  return async (actor: Actor, changed: (known: UserRepresentation) => UserRepresentation): Promise<void> => {
    await exclusive(grantsOf(actor.realm), async () => {
      const wanted = changed(await person(actor))
      await actingFor(actor, () => keycloak.run((kc) => kc.users.update(asUser(actor), wanted)))
    })
  }
}

/** The currency that somebody sees amounts of money in. */
function createCurrency(keycloak: Keycloak, change: ReturnType<typeof createChange>) {
  return {
    async currency(actor: Actor): Promise<Currency> {
      const person = await keycloak.run((kc) => kc.users.findOne(asUser(actor)))
      const [chosen] = (person?.attributes as Record<string, string[]> | undefined)?.currency ?? []
      return { currency: chosen ?? null }
    },

    /** The other attributes of the person go along: the identity server replaces all of them. */
    async setCurrency(actor: Actor, code: string | null): Promise<Currency> {
      await change(actor, ({ attributes, ...known }) => {
        const { currency: _, ...others } = (attributes ?? {}) as Record<string, string[]>
        const { email = '', firstName = '', lastName = '' } = known
        return { email, firstName, lastName, attributes: code === null ? others : { ...others, currency: [code] } }
      })
      return { currency: code }
    },
  }
}

const credentialsOf = async (keycloak: Keycloak, actor: Actor): Promise<Credential[]> =>
  (await keycloak.run((kc) => kc.users.getCredentials(asUser(actor)))).map(toCredential)

/** Removes what stands in for a password alone: a session that was taken over must not take a factor away. */
async function removePasskey(keycloak: Keycloak, actor: Actor, id: string): Promise<void> {
  const known = (await credentialsOf(keycloak, actor)).find((one) => one.id === id && one.type === passkeyType)
  if (!known) throw fail('iam.credential-not-found', { field: 'id' })
  try {
    await keycloak.run((kc) => kc.users.deleteCredential({ ...asUser(actor), credentialId: id }))
  } catch (error) {
    throw isGone(error) ? fail('iam.credential-not-found', { field: 'id', cause: error }) : error
  }
}

/** A new password is mailed to the address: a session that was taken over must not change it. */
function mustKeepEmail({ email = '' }: UserRepresentation, wanted: string | null | undefined): void {
  if (wanted === undefined || (wanted ?? '').toLowerCase() === email.toLowerCase()) return
  throw fail('request.invalid', {
    field: 'email',
    message: 'email: an address is changed at the sign-in, which POST /iam/v3/account/email asks for',
  })
}

/** Changes of one's own account, and what happened with it. Passwords and codes are typed at the identity server alone. */
export function createOwnAccount(keycloak: Keycloak, account: PersonalAccount, exclusive: Exclusive) {
  const change = createChange(keycloak, exclusive)

  /** A session that was taken over alone leads no further: the next sign-in asks for the password first. */
  async function askAtSignIn(actor: Actor, action: RequiredAction): Promise<void> {
    await change(actor, ({ requiredActions = [] }) => ({
      requiredActions: [...new Set([...requiredActions.map(String), action])],
    }))
    await account.logout(actor)
  }

  async function consents(actor: Actor): Promise<Consent[]> {
    return (await keycloak.run((kc) => kc.users.listConsents(asUser(actor)))).map(toConsent)
  }

  return {
    async update(actor: Actor, sent: Pick<UserChange, 'email' | 'firstName' | 'lastName'>): Promise<Account> {
      const { email: _, ...names } = sent
      const given = Object.entries(names).filter(([, value]) => value !== undefined)
      try {
        await change(actor, (known) => {
          mustKeepEmail(known, sent.email)
          const { email = '', firstName = '', lastName = '' } = known
          // An empty text is how the identity server is told to forget a value.
          return {
            email,
            firstName,
            lastName,
            ...Object.fromEntries(given.map(([field, value]) => [field, value ?? ''])),
          }
        })
      } catch (error) {
        throw refusalOf(error)
      }
      return account.get(actor)
    },

    ...createCurrency(keycloak, change),
    newPassword: (actor: Actor) => askAtSignIn(actor, 'UPDATE_PASSWORD'),
    secondFactor: (actor: Actor) => askAtSignIn(actor, 'CONFIGURE_TOTP'),

    newEmail: (actor: Actor) => askAtSignIn(actor, 'UPDATE_PROFILE'),
    passkey: (actor: Actor) => askAtSignIn(actor, 'webauthn-register-passwordless'),

    credentials: (actor: Actor) => credentialsOf(keycloak, actor),
    removePasskey: (actor: Actor, id: string) => removePasskey(keycloak, actor, id),

    async activities(actor: Actor): Promise<{ data: Activity[]; kept: boolean }> {
      const { realm, userId: user } = actor
      const settings = await keycloak.run((kc) => kc.realms.findOne({ realm }))
      if (settings?.eventsEnabled !== true) return { data: [], kept: false }
      try {
        const found = await keycloak.run((kc) =>
          kc.realms.findEvents({ realm, user, type: eventTypes as never, first: 0, max: mostActivities }),
        )
        return { data: found.map(toActivity), kept: true }
      } catch (error) {
        // The portal's client may look after the realm and not read its events.
        if (error instanceof KeycloakRefused && error.status === 403) return { data: [], kept: false }
        throw error
      }
    },

    consents,
    async consent(actor: Actor, clientId: string): Promise<Consent> {
      const found = (await consents(actor)).find((one) => one.clientId === clientId)
      if (!found) throw fail('iam.consent-not-found', { field: 'id' })
      return found
    },
    async revokeConsent(actor: Actor, clientId: string): Promise<void> {
      try {
        await keycloak.run((kc) => kc.users.revokeConsent({ ...asUser(actor), clientId }))
      } catch (error) {
        throw isGone(error) ? fail('iam.consent-not-found', { field: 'id', cause: error }) : error
      }
    },
  }
}
export type OwnAccount = ReturnType<typeof createOwnAccount>

interface EventOfKeycloak {
  time?: number
  type?: unknown
  ipAddress?: string
  clientId?: string
  error?: string
}

function toActivity({ time = 0, type, ipAddress, clientId, error }: EventOfKeycloak): Activity {
  return {
    at: new Date(time).toISOString(),
    type: String(type ?? ''),
    ipAddress: ipAddress || null,
    client: clientId || null,
    error: error || null,
  }
}
