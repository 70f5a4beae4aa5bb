import { basePaths, type Endpoint } from '@quayside/contract/endpoint'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Actor } from './actor.ts'
import type { Http } from './http.ts'
import type { Policies } from './policy.ts'

export interface Call<E extends Endpoint, A = Actor> {
  actor: A
  params: z.output<E['params']>
  query: z.output<E['query']>
  body: z.output<E['body']>
  request: FastifyRequest
  reply: FastifyReply
}

/** One verb for each endpoint of a table; a missing one does not compile. What it returns is checked and stripped by the reply's schema. */
export type Handlers<E extends Record<string, Endpoint>> = {
  readonly [K in keyof E]: (call: Call<E[K]>) => Promise<z.input<E[K]['reply']> | FastifyReply>
}

/** Puts a table of endpoints on the server, each with its policy and its verb. */
export function serve<E extends Record<string, Endpoint>>(
  http: Http,
  endpoints: E,
  policies: Policies<E>,
  handlers: Handlers<E>,
): void {
  for (const key of Object.keys(endpoints) as (keyof E & string)[]) {
    const endpoint = endpoints[key] as E[typeof key]
    const handler = handlers[key]
    http.route({
      method: endpoint.method,
      url: basePaths[endpoint.service] + endpoint.path,
      config: { policy: policies[key] },
      schema: schemaOf(endpoint, key),
      async handler(request, reply) {
        reply.status(endpoint.status)
        const result = await handler({
          // A public endpoint has no actor and its verb does not ask for one.
          actor: request.actor as Actor,
          params: request.params as z.output<E[typeof key]['params']>,
          query: request.query as z.output<E[typeof key]['query']>,
          body: request.body as z.output<E[typeof key]['body']>,
          request,
          reply,
        })
        return endpoint.status === 204 ? reply.send() : result
      },
    })
  }
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
