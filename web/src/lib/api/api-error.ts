import { statusMessage } from '@quayside/contract/http/errors'

/** The types of errors that the specification names. */
export const errorKind = { NoError: 0, NoInternet: 1, NoServerConnection: 2, Api: 3, Code: 4, Unknown: 5 } as const
type ErrorKind = (typeof errorKind)[keyof typeof errorKind]

interface ErrorDetails {
  statusText?: string
  code?: string
  field?: string
  requestId?: string
  details?: unknown
}

/** A call that did not succeed; `message` is the server's own reason. */
export class ApiError extends Error {
  readonly status: number
  readonly statusText: string
  readonly code: string | undefined
  readonly field: string | undefined
  readonly requestId: string | undefined
  readonly details: unknown

  constructor(status: number, message: string, more: ErrorDetails = {}) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.statusText = more.statusText ?? ''
    this.code = more.code
    this.field = more.field
    this.requestId = more.requestId
    this.details = more.details
  }
}

const awayStatuses = new Set([0, 502, 503, 504])

/**
 * Tells whether the portal did not answer at all, or its database was away: the same call may be answered in a moment.
 * A cluster or an identity server that the portal could not reach is its answer.
 */
export function isPassing(error: unknown): error is ApiError {
  if (!(error instanceof ApiError) || !awayStatuses.has(error.status)) return false
  return error.code === undefined || error.code.startsWith('database.')
}

/** Tells whether the portal was there and had too much to do: nothing of the call was done. */
export function isBusy(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 429
}

/** Tells whether there is no such thing any more: an id is never given twice, so asking again by itself is in vain. */
export function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404
}

/** The parts of any error that a view shows. */
interface ErrorFacts {
  kind: ErrorKind
  status: number
  title: string
  message: string
  requestId: string | undefined
}

/** A part of the pages that could not be fetched: each browser and the build's preloader say it in their own words. */
const partMissing = /dynamically imported module|importing a module script failed|unable to preload css/i

/** Tells whether a page failed because a part of it could not be fetched; only loading it anew can bring that part. */
export function isPartMissing(error: unknown): boolean {
  return error instanceof Error && !(error instanceof ApiError) && partMissing.test(error.message)
}

/** The kind of error that any thrown thing is, with the texts that people see. */
export function explainError(error: unknown, online: boolean): ErrorFacts {
  if (isPartMissing(error)) {
    const said = online ? 'A part of this page could not be loaded. It is tried again.' : 'You are offline.'
    return explainError(new ApiError(0, said), online)
  }
  if (error instanceof ApiError) {
    const { status, message, requestId } = error
    return { kind: kindOf(status, online), status, title: statusMessage(status), message, requestId }
  }
  const code = { kind: online ? errorKind.Code : errorKind.NoInternet, requestId: undefined }
  if (error instanceof Error) return { ...code, status: 10000, title: statusMessage(10000), message: error.message }
  return { ...code, kind: errorKind.Unknown, status: 10000, title: 'Unknown Error', message: 'Caught unkown error' }
}

function kindOf(status: number, online: boolean): ErrorKind {
  if (!online) return errorKind.NoInternet
  return status === 0 ? errorKind.NoServerConnection : errorKind.Api
}

const fallbackTooltip = 'An error has occurred. Please contact our technical support.'

/** The text of the error indicator's tooltip. */
export function errorTooltip(error: unknown): string {
  if (!(error instanceof ApiError) || error.message === '' || error.message === error.statusText) return fallbackTooltip
  return `${error.status} ${error.statusText}: ${error.message}`
}
