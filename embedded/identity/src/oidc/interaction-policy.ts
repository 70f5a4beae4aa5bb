import { interactionPolicy } from 'oidc-provider'
import { passwordExpired, passwordOf } from '../directory/credentials.ts'
import { expiryDays } from '../directory/password-policy.ts'
import type { Realm } from '../directory/realms.ts'
import { findUser, type User } from '../directory/users.ts'
import { dueActions, nextRequiredAction } from '../sign-in/required-actions.ts'
import type { Db } from '../storage/database.ts'

async function mustAct(db: Db, realm: Realm, user: User): Promise<boolean> {
  if (nextRequiredAction(dueActions(realm, user))) return true
  if (expiryDays(realm.settings.passwordPolicy) === undefined) return false
  const password = await passwordOf(db, user.id)
  return password !== undefined && passwordExpired(realm.settings.passwordPolicy, password, Date.now())
}

/** When a person has to be shown something: as usual, and when an administrator wants something done first. */
export function signInPolicy(db: Db, realm: Realm): interactionPolicy.DefaultPolicy {
  const policy = interactionPolicy.base()
  const { Check } = interactionPolicy
  policy.get('login')?.checks.add(
    new Check('required_action', 'An action of the person is required', 'interaction_required', async (ctx) => {
      const accountId = ctx.oidc.session?.accountId
      if (!accountId || ctx.oidc.result?.login) return Check.NO_NEED_TO_PROMPT
      const user = await findUser(db, realm.id, accountId)
      // Somebody who was removed or disabled has no session any more: back to the sign-in page.
      if (!user?.enabled) return Check.REQUEST_PROMPT
      return (await mustAct(db, realm, user)) ? Check.REQUEST_PROMPT : Check.NO_NEED_TO_PROMPT
    }),
  )
  return policy
}
