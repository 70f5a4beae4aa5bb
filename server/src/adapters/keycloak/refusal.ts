import { type Failure, fail } from '../../platform/http/errors.ts'
import { KeycloakRefused } from './keycloak.ts'

/** Keycloak's words for a name or address that somebody else has. */
const isTaken = (error: KeycloakRefused) => error.status === 409

/**
 * The refusal of a change in words of our catalogue: for use in `catch`.
 * @param field the field of the request that it is about, where it can only be one
 * @returns the error itself when it is no refusal
 */
export function refusalOf(error: unknown, field?: string): unknown {
  if (!(error instanceof KeycloakRefused) || ![400, 403, 409].includes(error.status)) return error
  if (isTaken(error) && /^User exists/.test(error.message)) return userExists(error)
  if (isTaken(error) && /group named/i.test(error.message))
    return fail('iam.group-exists', { field: 'name', cause: error })
  if (isTaken(error) && /^Role with name/.test(error.message))
    return fail('iam.role-exists', { field: 'name', cause: error })
  if (/Somebody has to hold/.test(error.message)) return fail('iam.last-administrator', { cause: error })
  if (field !== undefined)
    return fail('request.invalid', { field, message: `${field}: ${error.message}`, cause: error })
  return fail('iam.refused', { message: `The identity server refused this: ${error.message}`, cause: error })
}

function userExists(cause: KeycloakRefused): Failure {
  const isAddress = cause.message.includes('email')
  const message = isAddress ? 'A user with this address exists already.' : 'A user with this user name exists already.'
  return fail('iam.user-exists', { field: isAddress ? 'email' : 'username', message, cause })
}
