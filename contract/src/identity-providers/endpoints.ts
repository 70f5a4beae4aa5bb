import { z } from 'zod'
import { endpointsOf } from '../http/endpoint.ts'
import { longest } from '../http/limits.ts'
import { ById, Id, nameOf } from '../http/primitives.ts'
import { aliasPattern, providerLimits as most, providerAddressProblem, providerKinds } from './rules.ts'

const endpoint = endpointsOf('iam')

/** An identity provider by its alias, which is its id. */
export const IdentityProvider = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(providerKinds),
  enabled: z.boolean(),
  /** The provider's own name, which stands in its tokens; null where its kind has none. */
  issuer: z.string().nullable(),
  clientId: z.string().nullable(),
  hasSecret: z.boolean(),
  scopes: z.array(z.string()),
  /** An address that the provider has verified counts as verified here. */
  trustEmail: z.boolean(),
  /** It signs in to accounts that are linked already, and makes none. */
  linkOnly: z.boolean(),
  /** Place on the sign-in page; null comes last. */
  order: z.number().nullable(),
  /** The address to which the provider sends people back, which it has to be told. */
  redirectAddress: z.string(),
  logoutAddress: z.string().nullable(),
})
export type IdentityProvider = z.infer<typeof IdentityProvider>

const Address = z.string().superRefine((text, context) => {
  const message = providerAddressProblem(text)
  if (message !== undefined) context.addIssue({ code: 'custom', message })
})

const Scopes = z.array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/, 'words without spaces')).max(20)
/** One line, as the identity server sends it. */
const Secret = z
  .string()
  .min(1)
  .max(most.clientSecret)
  .regex(/^[^\p{Cc}]*$/u, 'no line ends or tabs')

const Alias = z
  .string()
  .max(most.alias, `at most ${most.alias} characters`)
  .regex(aliasPattern, 'lower-case letters, digits and dashes')

export const ProviderInput = z.strictObject({
  id: Alias.describe('stands in the redirect address, and stays'),
  name: nameOf(longest.displayName),
  address: Address.describe('of the issuer, or of its /.well-known/openid-configuration'),
  clientId: z
    .string()
    .trim()
    .min(1)
    .max(most.clientId)
    .regex(/^[\x20-\x7e]+$/, 'letters, digits and signs'),
  clientSecret: Secret,
  scopes: Scopes.default([]),
  trustEmail: z.boolean().default(false),
  linkOnly: z.boolean().default(false),
  enabled: z.boolean().default(true),
})
export type ProviderInput = z.input<typeof ProviderInput>

/** A field that is left out stays as it is. Where people are sent, and as which client, stays for good. */
export const ProviderChange = z.strictObject({
  name: nameOf(longest.displayName).optional(),
  clientSecret: Secret.optional(),
  scopes: Scopes.optional(),
  trustEmail: z.boolean().optional(),
  linkOnly: z.boolean().optional(),
  enabled: z.boolean().optional(),
  order: z.number().int().min(0).max(most.order).optional(),
})
export type ProviderChange = z.infer<typeof ProviderChange>

/** Answer of a provider to the question how people sign in there. */
export const ProviderAnswer = z.object({
  issuer: z.string(),
  authorizationAddress: z.string(),
  tokenAddress: z.string(),
  keysAddress: z.string(),
  userInfoAddress: z.string().nullable(),
  logoutAddress: z.string().nullable(),
})
export type ProviderAnswer = z.infer<typeof ProviderAnswer>

const Claim = z
  .string()
  .trim()
  .min(1)
  .max(most.claim)
  .regex(/^[^\p{Cc}]*$/u, 'no line ends or tabs')

export const ProviderMapping = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(['group', 'attribute', 'other']),
  claim: z.string(),
  /** Value that the claim must have, or have among its values; empty for attributes. */
  value: z.string(),
  /** The group that people are put into; null when it is gone. */
  group: z.object({ id: z.string(), name: z.string(), path: z.string() }).nullable(),
  /** `email`, `firstName`, `lastName` or an attribute of another name. */
  attribute: z.string().nullable(),
})
export type ProviderMapping = z.infer<typeof ProviderMapping>

export const MappingInput = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('group'), claim: Claim, value: Claim, groupId: Id }),
  z.strictObject({
    kind: z.literal('attribute'),
    claim: Claim,
    attribute: z
      .string()
      .regex(
        /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
        'letters, digits, dots, dashes and underscores, at most 64 characters',
      ),
  }),
])
export type MappingInput = z.infer<typeof MappingInput>

/** Providers at which people of the realm sign in instead of with a password, and what their claims lead to. */
export const identityProviders = {
  listIdentityProviders: endpoint('GET', '/v3/identity-providers', {
    summary: 'Identity providers in the order of the sign-in page',
    reply: z.object({
      data: z.array(IdentityProvider),
      redirectBase: z.string().describe('redirect addresses are this, the id and /endpoint'),
    }),
  }),
  getIdentityProvider: endpoint('GET', '/v3/identity-providers/:id', {
    summary: 'One identity provider, without its secret',
    params: ById,
    reply: IdentityProvider,
  }),
  discoverIdentityProvider: endpoint('POST', '/v3/identity-providers/discover', {
    summary: 'Ask an address how people sign in there, and change nothing',
    onlyReads: true,
    body: z.strictObject({ address: Address }),
    reply: ProviderAnswer,
  }),
  createIdentityProvider: endpoint('POST', '/v3/identity-providers', {
    summary: 'Add an OpenID Connect provider by the address at which it describes itself',
    body: ProviderInput,
    reply: IdentityProvider,
    status: 201,
  }),
  updateIdentityProvider: endpoint('PUT', '/v3/identity-providers/:id', {
    summary: 'Change an identity provider; a field that is left out stays as it is',
    params: ById,
    body: ProviderChange,
    reply: IdentityProvider,
  }),
  deleteIdentityProvider: endpoint('DELETE', '/v3/identity-providers/:id', {
    summary: 'Delete an identity provider with its mappings and the links of accounts to it; the accounts stay',
    params: ById,
    status: 204,
  }),
  testIdentityProvider: endpoint('POST', '/v3/identity-providers/:id/test', {
    summary: 'Ask an identity provider again how people sign in there, and compare',
    onlyReads: true,
    params: ById,
    reply: z.object({ answer: ProviderAnswer, changed: z.array(z.string()).describe('addresses that differ now') }),
  }),
  listMappings: endpoint('GET', '/v3/identity-providers/:id/mappings', {
    summary: 'Claims of a provider, and the groups, names and attributes that they lead to',
    params: ById,
    reply: z.object({ data: z.array(ProviderMapping) }),
  }),
  createMapping: endpoint('POST', '/v3/identity-providers/:id/mappings', {
    summary: 'Map a claim to a group or an attribute; it counts from the next sign-in',
    params: ById,
    body: MappingInput,
    reply: ProviderMapping,
    status: 201,
  }),
  deleteMapping: endpoint('DELETE', '/v3/identity-providers/:id/mappings/:mid', {
    summary: 'Map a claim no longer; who is in a group by it stays there',
    params: ById.extend({ mid: Id }),
    status: 204,
  }),
}
