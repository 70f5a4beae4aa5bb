import type { KubeError } from '../api-error.ts'
import { type FieldError, forbiddenField, invalidObject, tooLong, unsupported } from '../field-error.ts'
import type { FieldValidation } from './objects/incoming-object.ts'
import type { Verb } from './request-path.ts'

const OPTIONS: Partial<Record<Verb, string>> = {
  create: 'CreateOptions',
  update: 'UpdateOptions',
  patch: 'PatchOptions',
  delete: 'DeleteOptions',
  deletecollection: 'DeleteOptions',
}

interface Asked {
  verb: Verb
  query: URLSearchParams
}

/** The refusal of a request for what its query asks; options are objects with a kind of their own. */
export const invalidOptions = (verb: Verb, error: FieldError): KubeError =>
  invalidObject('meta.k8s.io', OPTIONS[verb] ?? 'ListOptions', '', [error])

export function isDryRun({ verb, query }: Asked): boolean {
  const values = query.getAll('dryRun').filter((value) => value !== '')
  if (values.some((value) => value !== 'All')) throw invalidOptions(verb, unsupported('dryRun', values, ['All']))
  return values.length > 0
}

export function fieldValidationOf({ verb, query }: Asked): FieldValidation {
  const asked = query.get('fieldValidation') || 'Warn'
  if (asked === 'Strict' || asked === 'Warn' || asked === 'Ignore') return asked
  throw invalidOptions(verb, unsupported('fieldValidation', asked, ['', 'Ignore', 'Strict', 'Warn']))
}

export function fieldManagerOf({ verb, query }: Asked): string | undefined {
  const asked = query.get('fieldManager') || undefined
  if (asked && Buffer.byteLength(asked) > 128) throw invalidOptions(verb, tooLong('fieldManager', 128))
  return asked
}

/** Only who applies may take fields from others. */
export function refuseForce({ verb, query }: Asked): void {
  if (query.get('force') === null) return
  throw invalidOptions(verb, forbiddenField('force', 'may not be specified for non-apply patch'))
}

const MATCHES = ['Exact', 'NotOlderThan']

/** Checks that the version parameters of a list or watch go together. */
export function checkListOptions({ query }: Asked, isWatch: boolean): void {
  const version = query.get('resourceVersion') ?? ''
  const match = query.get('resourceVersionMatch') ?? ''
  const initial = query.get('sendInitialEvents')
  const refuse = (error: FieldError) => invalidOptions(isWatch ? 'watch' : 'list', error)
  const forbid = (why: string) => refuse(forbiddenField('resourceVersionMatch', why))
  if (initial !== null) {
    if (!isWatch) throw refuse(forbiddenField('sendInitialEvents', 'sendInitialEvents is forbidden for list'))
    if (match !== 'NotOlderThan') {
      throw forbid('sendInitialEvents requires setting resourceVersionMatch to NotOlderThan')
    }
    return
  }
  if (!match) return
  if (isWatch) throw forbid('resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided')
  if (!version) throw forbid('resourceVersionMatch is forbidden unless resourceVersion is provided')
  if (!MATCHES.includes(match)) throw refuse(unsupported('resourceVersionMatch', match, MATCHES))
  if (match === 'Exact' && version === '0') {
    throw forbid('resourceVersionMatch "exact" is forbidden for resourceVersion "0"')
  }
}
