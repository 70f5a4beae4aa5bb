import { tokenCalls } from '@quayside/contract/personal-tokens/reach'
import { fail } from '../../http/errors.ts'
import type { Actor } from '../actor.ts'

/**
 * Refuses a call that the caller's personal token does not allow, whatever its owner holds. What the owner holds is
 * judged after that, as for everybody.
 * @param address method and route, as `GET /portal-api/v2/apps`
 */
export function mustAllowToken({ personalToken }: Pick<Actor, 'personalToken'>, address: string): void {
  if (!personalToken) return
  const call = tokenCalls.get(address.replace(/^HEAD /, 'GET '))
  if (!call?.isOpen) throw fail('auth.token-limits')
  if (personalToken.readOnly && !call.onlyReads)
    throw fail('auth.token-limits', {
      message: 'This personal token is read-only: it cannot change anything.',
    })
  if (personalToken.spaceIds && !call.isForSpaces)
    throw fail('auth.token-limits', {
      message: 'This personal token is limited to some spaces, and this call is not about one of them.',
    })
}
