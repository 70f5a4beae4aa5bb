import type { Endpoint } from '@quayside/contract/http/endpoint'
import { pathOf } from '@quayside/contract/http/path'
import type { z } from 'zod'
import type { Api, UploadOptions } from '../lib/api/api.ts'

/** A field that may be left out may also be undefined: it is then not sent. */
type Sparse<T> = unknown extends T
  ? string | number | boolean
  : T extends readonly unknown[]
    ? T
    : T extends object
      ? { [K in keyof T]: Sparse<T[K]> | undefined }
      : T

/** A part of a call: asked for when something of it is required, refused when the endpoint has no such part. */
type Part<Name extends string, T> = unknown extends T
  ? { [N in Name]?: never }
  : Record<string, never> extends T
    ? { [N in Name]?: T }
    : { [N in Name]: T }

type ParamsOf<T> = unknown extends T
  ? unknown
  : keyof T extends never
    ? unknown
    : { [K in keyof T]: unknown extends T[K] ? string | number : T[K] }

/** The input of a call to this endpoint, before its schemas parse it. */
export type InputOf<E extends Endpoint> = Part<'params', ParamsOf<z.input<E['params']>>> &
  Part<'query', unknown extends z.input<E['query']> ? unknown : Sparse<z.input<E['query']>>> &
  Part<'body', z.input<E['body']>> & { signal?: AbortSignal | undefined; headers?: Record<string, string> }

/** The reply of this endpoint; undefined when it declares none. */
export type ReplyOf<E extends Endpoint> = unknown extends z.output<E['reply']> ? undefined : z.output<E['reply']>

type Rest<E extends Endpoint> = Record<string, never> extends InputOf<E> ? [input?: InputOf<E>] : [input: InputOf<E>]

/**
 * Makes a call that the contract names: `call(api, catalog.getItem, { params: { id } })`. Signing in again, tickets and
 * shared reads are the transport's business; a refusal is thrown as an ApiError.
 */
export function call<E extends Endpoint>(api: Api, endpoint: E, ...[input]: Rest<E>): Promise<ReplyOf<E>> {
  const { params, ...options } = (input ?? {}) as Loose
  return api.send(endpoint.method, pathOf(endpoint, params), options)
}

/** Posts one file to an endpoint that accepts one; `onProgress` is told whole percent. */
export function upload<E extends Endpoint>(api: Api, endpoint: E, options: UploadOptions): Promise<ReplyOf<E>> {
  return api.upload(pathOf(endpoint), options)
}

/** Reads the answer of an endpoint that streams, as it comes. */
export function stream<E extends Endpoint>(api: Api, endpoint: E, ...[input]: Rest<E>): Promise<Response> {
  const { params, ...options } = (input ?? {}) as Loose
  return api.stream(pathOf(endpoint, params), options, endpoint.method)
}

interface Loose {
  params?: Record<string, string | number>
  query?: Record<string, unknown>
  body?: unknown
  signal?: AbortSignal
  headers?: Record<string, string>
}
