import type { IncomingMessage, ServerResponse } from 'node:http'
import { badRequest, internalError, serviceUnavailable, tooManyRequests } from '../api-error.ts'
import { type Doc, docOf, isDoc, textOf } from '../store/doc.ts'
import type { ResourcePath } from './request-path.ts'

type FaultKind = (typeof KINDS)[number]

/** A fault that the API simulates. Fields that are left out match every request. */
interface Fault {
  id: string
  kind: FaultKind
  method?: string
  group?: string
  resource?: string
  namespace?: string
  /** The object's name, or how it begins when it ends in `*`. */
  name?: string
  /** How the client names itself, as in `Helm/*`. */
  userAgent?: string
  /** How often it still strikes; without end when left out. */
  count?: number
  /** For `slow`: how long; for `too-many-requests`: what Retry-After says. */
  milliseconds?: number
}

/** Carries a fault out: throws, keeps the request for good, or tells what to do with the answer. */
type Strike = (message: IncomingMessage, response: ServerResponse) => Promise<'proceed' | 'answered' | 'lose-reply'>

export interface FaultTable {
  list(): readonly Fault[]
  add(body: unknown): Fault
  clear(id?: string): void
  /** The fault that strikes this request; used up by asking. */
  take(message: IncomingMessage, url: URL, path: ResourcePath | undefined): Strike | undefined
}

const KINDS = ['slow', 'reset', 'too-many-requests', 'unavailable', 'server-error', 'hang', 'lost-reply'] as const

const gone = (response: ServerResponse): Promise<void> =>
  new Promise((done) => {
    if (response.destroyed) done()
    else response.once('close', done)
  })

function strikeOf({ kind, milliseconds = 1000 }: Fault): Strike {
  return async (message, response) => {
    switch (kind) {
      case 'slow':
        await new Promise((done) => setTimeout(done, milliseconds))
        return 'proceed'
      case 'reset':
        message.socket.destroy()
        return 'answered'
      case 'too-many-requests':
        throw tooManyRequests(
          'the server has received too many requests and has asked us to try again later',
          Math.ceil(milliseconds / 1000),
        )
      case 'unavailable':
        throw serviceUnavailable('the server is currently unable to handle the request')
      case 'server-error':
        throw internalError('a fault was asked for')
      case 'hang':
        await gone(response)
        return 'answered'
      case 'lost-reply':
        return 'lose-reply'
    }
  }
}

const matchesText = (pattern: string | undefined, value: string | undefined): boolean => {
  if (pattern === undefined) return true
  if (pattern.endsWith('*')) return value?.startsWith(pattern.slice(0, -1)) ?? false
  return pattern === value
}

const strikes = (
  fault: Fault,
  { method, headers }: IncomingMessage,
  url: URL,
  path: ResourcePath | undefined,
): boolean =>
  (fault.count ?? 1) > 0 &&
  matchesText(fault.method, method) &&
  matchesText(fault.userAgent, headers['user-agent']) &&
  matchesText(fault.resource, path?.resource ?? url.pathname) &&
  matchesText(fault.group, path?.group) &&
  matchesText(fault.namespace, path?.namespace) &&
  matchesText(fault.name, path?.name)

function readFault(body: unknown, id: string): Fault {
  if (!isDoc(body)) throw badRequest('a fault is an object')
  const kind = KINDS.find((known) => known === body.kind)
  if (!kind)
    throw badRequest(`kind: Unsupported value: ${JSON.stringify(body.kind)}: supported values: ${KINDS.join(', ')}`)
  const number = (field: string): number | undefined => {
    const value = docOf(body)[field]
    if (value === undefined) return undefined
    if (typeof value !== 'number' || value < 0) throw badRequest(`${field}: must be a number of at least 0`)
    return value
  }
  const fault: Doc = { id, kind, count: number('count'), milliseconds: number('milliseconds') }
  for (const field of ['method', 'group', 'resource', 'namespace', 'name', 'userAgent']) {
    if (body[field] !== undefined) fault[field] = textOf(body[field])
  }
  return fault as unknown as Fault
}

export function createFaultTable(): FaultTable {
  let faults: Fault[] = []
  let made = 0
  return {
    list: () => faults,
    add(body) {
      made += 1
      const fault = readFault(body, String(made))
      faults.push(fault)
      return fault
    },
    clear(id) {
      faults = id === undefined ? [] : faults.filter((fault) => fault.id !== id)
    },
    take(message, url, path) {
      const fault = faults.find((one) => strikes(one, message, url, path))
      if (!fault) return undefined
      if (fault.count !== undefined) {
        fault.count -= 1
        if (fault.count <= 0) faults = faults.filter((one) => one !== fault)
      }
      return strikeOf(fault)
    },
  }
}
