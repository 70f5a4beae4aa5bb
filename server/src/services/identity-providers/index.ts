import type ProviderRepresentation from '@keycloak/keycloak-admin-client/lib/defs/identityProviderRepresentation.js'
import { role } from '@quayside/contract/http/policy'
import type {
  IdentityProvider,
  ProviderAnswer,
  ProviderChange,
  ProviderInput,
} from '@quayside/contract/identity-providers/endpoints'
import type { z } from 'zod'
import { isGone } from '../../adapters/keycloak/gone.ts'
import { type Keycloak, KeycloakRefused } from '../../adapters/keycloak/keycloak.ts'
import { refusalOf } from '../../adapters/keycloak/refusal.ts'
import { mustKeepAWayIn } from '../../adapters/keycloak/sign-in/ways-in.ts'
import type { Actor } from '../../platform/auth/actor.ts'
import { fail } from '../../platform/http/errors.ts'
import type { Judged, People } from '../permissions/index.ts'
import type { Discovery } from './discovery.ts'
import { addressesOf, addressNames, byPlace, kindOf, scopeText, toProvider, toStored } from './representations.ts'

const right = role('iam-loginsettings', 'loginsettings.edit')

export const findProvider = async (
  keycloak: Keycloak,
  realm: string,
  alias: string,
): Promise<ProviderRepresentation> => {
  const found = await keycloak
    .run((kc) => kc.identityProviders.findOne({ realm, alias }))
    .catch((error: unknown) => {
      if (!isGone(error)) throw error
      return undefined
    })
  if (!found) throw fail('iam.provider-not-found', { field: 'id' })
  return found
}

/** A provider could speak for anybody who is linked to it: it is chosen by administrators alone. */
export const changeAsAdministrator = <T>(
  people: People,
  actor: Actor,
  kind: 'gives' | 'takes',
  work: (judged: Judged) => Promise<T>,
): Promise<T> =>
  people.change(actor, { right, kind }, (judged) => {
    judged.mustHold(['quayside-admin'], 'id')
    return work(judged)
  })

/** Settings that are changed of a provider of another kind, which is set up at Keycloak. */
const ofEveryKind: ReadonlySet<string> = new Set(['name', 'enabled', 'order'])

function changed(before: ProviderRepresentation, change: ProviderChange): ProviderRepresentation {
  const { name, clientSecret, scopes, order, ...flags } = change
  const given = Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined))
  return {
    ...before,
    ...given,
    ...(name === undefined ? {} : { displayName: name }),
    config: {
      // The mask in it leaves the secret as it is.
      ...before.config,
      ...(clientSecret === undefined ? {} : { clientSecret }),
      ...(scopes === undefined ? {} : { defaultScope: scopeText(scopes) }),
      ...(order === undefined ? {} : { guiOrder: String(order) }),
    },
  }
}

function refuse(error: unknown): never {
  throw refusalOf(error)
}

/** Providers at which people of a realm sign in instead of with a password of ours. */
export function createIdentityProviders(keycloak: Keycloak, discover: Discovery, people: People, publicUrl: string) {
  const redirectBase = (realm: string) => `${publicUrl}/realms/${realm}/broker/`
  const find = (realm: string, id: string) => findProvider(keycloak, realm, id)
  const get = async ({ realm }: Actor, id: string): Promise<IdentityProvider> =>
    toProvider(await find(realm, id), redirectBase(realm))

  return {
    get,
    discover: (actor: Actor, address: string): Promise<ProviderAnswer> => discover(actor.realm, address),

    async list({ realm }: Actor) {
      // Told apart from what the identity server trusts without signing people in.
      const found = await keycloak.run((kc) => kc.identityProviders.find({ realm }))
      const base = redirectBase(realm)
      return { data: found.map((one) => toProvider(one, base)).sort(byPlace), redirectBase: base }
    },

    async create(actor: Actor, input: z.output<typeof ProviderInput>): Promise<IdentityProvider> {
      const { realm } = actor
      // Before its turn has come: a provider that is slow holds up nobody else who changes something.
      const answer = await discover(realm, input.address)
      await changeAsAdministrator(people, actor, 'gives', async (judged) => {
        // People who come for the first time get an account, as those do whom somebody makes.
        if (!input.linkOnly) await judged.mayGiveDefaultGroups('linkOnly')
        try {
          await keycloak.run((kc) => kc.identityProviders.create({ ...toStored(input, answer), realm }))
        } catch (error) {
          if (error instanceof KeycloakRefused && error.status === 409)
            throw fail('iam.provider-exists', { field: 'id', cause: error })
          refuse(error)
        }
      })
      return get(actor, input.id)
    },

    async update(actor: Actor, id: string, change: ProviderChange): Promise<IdentityProvider> {
      const { realm } = actor
      await find(realm, id)
      await changeAsAdministrator(people, actor, change.enabled === false ? 'takes' : 'gives', async (judged) => {
        const before = await find(realm, id)
        const isOther = kindOf(before) !== 'oidc'
        if (isOther && Object.keys(change).some((name) => !ofEveryKind.has(name))) throw fail('iam.provider-kept')
        if (change.linkOnly === false) await judged.mayGiveDefaultGroups('linkOnly')
        if (change.enabled === false) await mustKeepAWayIn(keycloak, actor, id)
        await keycloak
          .run((kc) => kc.identityProviders.update({ realm, alias: id }, changed(before, change)))
          .catch(refuse)
      })
      return get(actor, id)
    },

    async remove(actor: Actor, id: string): Promise<void> {
      const { realm } = actor
      await find(realm, id)
      await changeAsAdministrator(people, actor, 'takes', async () => {
        await mustKeepAWayIn(keycloak, actor, id)
        await keycloak.run((kc) => kc.identityProviders.del({ realm, alias: id })).catch(refuse)
      })
    },

    async test(actor: Actor, id: string): Promise<{ answer: ProviderAnswer; changed: string[] }> {
      const provider = await find(actor.realm, id)
      if (kindOf(provider) !== 'oidc') throw fail('iam.provider-kept')
      const { config = {} } = provider
      const answer = await discover(actor.realm, String(config.issuer ?? ''))
      const now = addressesOf(answer)
      const names = Object.keys(addressNames) as (keyof typeof addressNames)[]
      const differing = names.filter((name) => (config[name] ?? '') !== (now[name] ?? ''))
      return { answer, changed: differing.map((name) => addressNames[name]) }
    },
  }
}
export type IdentityProviders = ReturnType<typeof createIdentityProviders>
