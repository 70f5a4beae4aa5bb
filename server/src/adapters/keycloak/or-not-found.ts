import { fail } from '../../platform/http/errors.ts'
import { isGone } from './gone.ts'

/** A missing user, group or client in the words of our catalogue. */
export async function orNotFound<T>(
  code: 'iam.user-not-found' | 'iam.group-not-found' | 'iam.client-not-found',
  asking: Promise<T | null | undefined>,
): Promise<T> {
  const found = await asking.catch((error: unknown) => {
    if (!isGone(error)) throw error
    return undefined
  })
  if (found === undefined || found === null) throw fail(code, { field: 'id' })
  return found
}
