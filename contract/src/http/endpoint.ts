import { z } from 'zod'
import type { ServiceName } from './path.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** One call that both sides promise each other. `path` is relative to the service and names parameters as `:id`. */
export interface Endpoint<
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
> {
  service: ServiceName
  method: Method
  path: string
  summary: string
  params: P
  query: Q
  body: B
  reply: R
  /** The body is not JSON: `multipart` carries one field named file, `text` a bare string. */
  accepts?: 'multipart' | 'text'
  /** The answer is not JSON but a stream of text. */
  streams?: boolean
  /** It changes nothing although it is no GET: the audit log leaves it out. */
  onlyReads?: boolean
  /** The answer holds secrets, or a link that is one: the audit log has the call although it changes nothing. */
  handsOut?: boolean
  status: number
}

const noParams = z.object({})

interface Said<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType> {
  summary: string
  params?: P
  query?: Q
  body?: B
  reply?: R
  accepts?: 'multipart' | 'text'
  streams?: boolean
  onlyReads?: boolean
  handsOut?: boolean
  status?: number
}

/** Declares endpoints of one service: `const get = endpointsOf('catalog')('GET', '/v2/items', {...})`. */
export function endpointsOf(service: ServiceName) {
  return function endpoint<
    P extends z.ZodType = typeof noParams,
    Q extends z.ZodType = z.ZodUnknown,
    B extends z.ZodType = z.ZodUnknown,
    R extends z.ZodType = z.ZodUnknown,
  >(method: Method, path: string, said: Said<P, Q, B, R>): Endpoint<P, Q, B, R> {
    return {
      service,
      method,
      path,
      summary: said.summary,
      params: said.params ?? (noParams as unknown as P),
      query: said.query ?? (z.unknown() as unknown as Q),
      body: said.body ?? (z.unknown() as unknown as B),
      reply: said.reply ?? (z.unknown() as unknown as R),
      accepts: said.accepts,
      streams: said.streams,
      onlyReads: said.onlyReads,
      handsOut: said.handsOut,
      status: said.status ?? 200,
    }
  }
}
