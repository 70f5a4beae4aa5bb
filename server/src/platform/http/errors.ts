import { type ErrorCode, errorCatalogue } from '@quayside/contract/http/errors'

interface FailContext {
  /** The input that was wrong, as a dotted path. */
  field?: string
  /** Replaces the catalogue's sentence where a more exact one helps. */
  message?: string
  details?: Record<string, unknown>
  cause?: unknown
}

/** A refusal that the caller is meant to see. */
export class Failure extends Error {
  override name = 'Failure'
  readonly code: ErrorCode
  readonly status: number
  readonly field: string | undefined
  readonly details: Record<string, unknown> | undefined

  constructor(code: ErrorCode, context: FailContext = {}) {
    super(context.message ?? errorCatalogue[code].message, { cause: context.cause })
    this.code = code
    this.status = errorCatalogue[code].status
    this.field = context.field
    this.details = context.details
  }
}

const databaseTrouble: readonly ErrorCode[] = [
  'database.unavailable',
  'database.outcome-unknown',
  'database.full',
  'portal.busy',
]

/** The database could not do it now and can later: nothing is decided by that. */
export function isDatabaseTrouble(error: unknown): boolean {
  return error instanceof Failure && databaseTrouble.includes(error.code)
}

/** A write to a disk of this process that has no room left. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
}

/** `throw fail('app.not-found', { field: 'id' })` */
export function fail(code: ErrorCode, context?: FailContext): Failure {
  return new Failure(code, context)
}
