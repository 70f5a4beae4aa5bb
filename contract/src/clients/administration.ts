import { z } from 'zod'
import { endpointsOf } from '../http/endpoint.ts'
import { longest } from '../http/limits.ts'
import { ListQuery, listOf } from '../http/paging.ts'
import { ById, nameOf, textOf } from '../http/primitives.ts'
import { UserSession } from '../users/credentials.ts'
import { clientKinds, mostRedirectUris, mostWebOrigins, redirectUriProblem, webOriginProblem } from './rules.ts'
import { clientSorts } from './sorts.ts'

const endpoint = endpointsOf('iam')

export const ClientRow = z.object({
  id: z.string(),
  clientId: z.string(),
  name: z.string(),
  description: z.string(),
  kind: z.enum(clientKinds),
  enabled: z.boolean(),
  /** It runs where it can keep no secret: in a browser or on a device. */
  isPublic: z.boolean(),
})
export type ClientRow = z.infer<typeof ClientRow>

export const ClientDetail = ClientRow.extend({
  /** Why its settings cannot be changed in the portal; null when they can. */
  keptBecause: z.string().nullable(),
  /** The portal takes its tokens, so where they are sent cannot be changed. */
  opensPortal: z.boolean(),
  redirectUris: z.array(z.string()),
  webOrigins: z.array(z.string()),
  consentRequired: z.boolean(),
  flows: z.object({
    /** Sign-in by an authorization code. */
    standard: z.boolean(),
    implicit: z.boolean(),
    /** The client asks for the password itself. */
    password: z.boolean(),
    /** The client signs in as itself. */
    serviceAccount: z.boolean(),
  }),
  /** Its tokens carry every role of who signs in. */
  fullScopeAllowed: z.boolean(),
  defaultScopes: z.array(z.string()),
  optionalScopes: z.array(z.string()),
  mappers: z.array(z.object({ name: z.string(), kind: z.string(), writes: z.string() })),
  /** The account that it signs in as itself with. */
  serviceAccount: z.object({ id: z.string(), username: z.string() }).nullable(),
})
export type ClientDetail = z.infer<typeof ClientDetail>

const listOfTexts = (most: number, problem: (text: string) => string | undefined) =>
  z
    .array(z.string())
    .max(most, `at most ${most}`)
    .superRefine((texts, context) => {
      for (const text of texts) {
        const wrong = problem(text)
        if (wrong !== undefined) context.addIssue({ code: 'custom', message: `${text.slice(0, 80)}: ${wrong}` })
      }
    })

const RedirectUris = listOfTexts(mostRedirectUris, redirectUriProblem)
const WebOrigins = listOfTexts(mostWebOrigins, webOriginProblem)

export const ApplicationInput = z.strictObject({
  clientId: z
    .string()
    .max(longest.clientId, `at most ${longest.clientId} characters`)
    .regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, 'lower-case letters, digits and dashes'),
  name: nameOf(longest.displayName),
  description: textOf(longest.shortDescription).default(''),
  isPublic: z.boolean().describe('it runs in a browser or on a device, and gets no secret'),
  redirectUris: RedirectUris.min(1, 'at least one address'),
  webOrigins: WebOrigins.default([]),
  consentRequired: z.boolean().default(true),
})

/** A field that is left out stays as it is. */
export const ClientChange = z.strictObject({
  name: nameOf(longest.displayName).optional(),
  description: textOf(longest.shortDescription).optional(),
  enabled: z.boolean().optional(),
  redirectUris: RedirectUris.optional(),
  webOrigins: WebOrigins.optional(),
  consentRequired: z.boolean().optional(),
  standardFlow: z.boolean().optional(),
})
export type ClientChange = z.infer<typeof ClientChange>

export const ClientSession = UserSession.omit({ clients: true }).extend({
  user: z.object({ id: z.string(), username: z.string() }),
})
export type ClientSession = z.infer<typeof ClientSession>

/** Every client of the realm: what it is, what its tokens carry, and who is signed in with it. */
export const clientAdministration = {
  findClients: endpoint('GET', '/v3/clients', {
    summary: `Clients, searched and paged; filters: kind, enabled; sort: ${clientSorts.join(', ')}`,
    query: ListQuery,
    reply: listOf(ClientRow),
  }),
  getClientDetail: endpoint('GET', '/v3/clients/:id', {
    summary: 'One client with its settings and what its tokens carry',
    params: ById,
    reply: ClientDetail,
  }),
  createApplication: endpoint('POST', '/v3/clients', {
    summary:
      'Register an application that people sign in to; a secret is in the answer, once. Its tokens carry no roles',
    body: ApplicationInput,
    reply: z.object({ client: ClientDetail, secret: z.string().nullable().describe('shown once') }),
    status: 201,
  }),
  updateClient: endpoint('PUT', '/v3/clients/:id', {
    summary: 'Change a client; a field that is left out stays as it is',
    params: ById,
    body: ClientChange,
    reply: ClientDetail,
  }),
  deleteApplication: endpoint('DELETE', '/v3/clients/:id', {
    summary: 'Delete an application with its roles',
    params: ById,
    status: 204,
  }),
  renewSecret: endpoint('POST', '/v3/clients/:id/secret', {
    summary: 'Give a client another secret; the old one ends at once',
    params: ById,
    reply: z.object({ clientId: z.string(), secret: z.string().describe('shown once') }),
  }),
  findClientSessions: endpoint('GET', '/v3/clients/:id/sessions', {
    summary: 'Who is signed in with a client, the last seen first, paged',
    params: ById,
    query: ListQuery,
    reply: listOf(ClientSession),
  }),
}
