import type { Endpoint } from '@quayside/contract/http/endpoint'
import { basePaths } from '@quayside/contract/http/path'
import type { Policies } from '@quayside/contract/http/policy'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Actor } from '../auth/actor.ts'
import { authorise } from '../auth/authorise.ts'
import { offerTicket, withParty } from '../auth/party.ts'
import type { Access } from '../auth/rights.ts'
import { Failure } from './errors.ts'
import { bearerOf, type Http } from './http.ts'

/** Age of what is known of a caller whose call goes on, in milliseconds. */
const freshMs = 1000

interface Call<E extends Endpoint, A = Actor> {
  actor: A
  params: z.output<E['params']>
  query: z.output<E['query']>
  body: z.output<E['body']>
  /** The caller's rights for this call. */
  access: Access
  /** For a call that lasts: the caller's rights now. Throws as soon as it would not be allowed any more. */
  mustStillBeAllowed(): Promise<Access>
  request: FastifyRequest
  reply: FastifyReply
}

/** One verb for each endpoint of a table; a missing one does not compile. What it returns is checked and stripped by the reply's schema. */
export type Handlers<E extends Record<string, Endpoint>> = {
  readonly [K in keyof E]: (call: Call<E[K]>) => Promise<z.input<E[K]['reply']> | FastifyReply>
}

/**
 * Answers to commands that take away what they name: sent again with their key, they find nothing any more. Undefined
 * when no such command was accepted from the caller.
 */
type Repeats<E extends Record<string, Endpoint>> = {
  readonly [K in keyof E]?: (
    call: Pick<Call<E[K]>, 'actor' | 'params' | 'body' | 'request'>,
  ) => Promise<z.input<E[K]['reply']> | undefined>
}

/** Access of a public call, which may not read rows of spaces. */
const nobody: Access = {
  scopes: new Set(),
  at: () => new Set(),
  spacesWith() {
    throw new Error('a public call asks for what lies in spaces')
  },
}

/** Puts a table of endpoints on the server, each with its policy and its verb. */
export function serve<E extends Record<string, Endpoint>>(
  http: Http,
  endpoints: E,
  policies: Policies<E>,
  handlers: Handlers<E>,
  repeats: Repeats<E> = {},
): void {
  for (const key of Object.keys(endpoints) as (keyof E & string)[]) {
    const endpoint = endpoints[key] as E[typeof key]
    const handler = handlers[key]
    const policy = policies[key]
    http.route({
      method: endpoint.method,
      url: basePaths[endpoint.service] + endpoint.path,
      config: { policy, isAuthorised: true, onlyReads: endpoint.onlyReads === true },
      schema: schemaOf(endpoint, key),
      async handler(request, reply) {
        reply.status(endpoint.status)
        const { params, query, body } = request
        const { party, rights } = http
        const asked = { params, query, body }
        const actor = await withParty(party, request)
        const allowed = (who: Actor) => authorise(rights, policy, who, asked)
        const said = {
          // A public endpoint has no actor and its verb does not ask for one.
          actor: actor as Actor,
          params: params as z.output<E[typeof key]['params']>,
          body: body as z.output<E[typeof key]['body']>,
          request,
        }
        const call = async () => {
          const access = actor ? await allowed(actor).catch(orNotThere) : nobody
          if (access instanceof Failure) {
            const before = await repeats[key]?.(said)
            if (before === undefined) throw access
            return before
          }
          request.heldScopes = access.scopes
          return handler({
            ...said,
            access,
            mustStillBeAllowed: async () => allowed(await http.auth.actorOf(bearerOf(request), freshMs)),
            query: query as z.output<E[typeof key]['query']>,
            reply,
          })
        }
        const result = await call().catch(async (error: unknown) => {
          throw actor ? await offerTicket(error, { party, rights, policy, actor, asked, request }) : error
        })
        return endpoint.status === 204 ? reply.send() : result
      },
    })
  }
}

/** The refusal for a thing that is not there, as a value; any other error is thrown. */
function orNotThere(error: unknown): Failure {
  if (error instanceof Failure && error.status === 404) return error
  throw error
}

function schemaOf(endpoint: Endpoint, key: string) {
  const isBodiless = endpoint.method === 'GET' || endpoint.accepts !== undefined
  const isUnknown = (schema: z.ZodType) => schema.type === 'unknown'
  return {
    operationId: `${endpoint.service}.${key}`,
    summary: endpoint.summary,
    tags: [endpoint.service],
    params: endpoint.params,
    ...(isUnknown(endpoint.query) ? {} : { querystring: endpoint.query }),
    ...(isBodiless || isUnknown(endpoint.body) ? {} : { body: endpoint.body }),
    ...(endpoint.accepts === 'multipart' ? { consumes: ['multipart/form-data'] } : {}),
    ...(endpoint.streams || isUnknown(endpoint.reply) ? {} : { response: { [endpoint.status]: endpoint.reply } }),
  }
}
