import { recordEvent } from '../directory/login-events.ts'
import { dropAction, type User } from '../directory/users.ts'
import type { Ceremony } from '../passkeys/ceremonies.ts'
import { finishAction, type Progress, whileOnTheWay } from './progress.ts'
import type { RequiredAction } from './required-actions.ts'

/** Form of somebody who is known, on their way through the pages. */
export interface StepContext extends Ceremony {
  user: User
  progress: Progress
  form: URLSearchParams
  ip: string
}

/** Message about invalid input; undefined when the step is done. */
export type StepResult = Promise<string | undefined>

type Work = (ctx: StepContext) => Promise<unknown>

const eventOf: Partial<Record<RequiredAction, string>> = {
  CONFIGURE_TOTP: 'UPDATE_TOTP',
  'webauthn-register': 'UPDATE_CREDENTIAL',
  'webauthn-register-passwordless': 'UPDATE_CREDENTIAL',
}

/** Does an action that is asked for, or that a link allows, and strikes it off. */
export function perform(ctx: StepContext, action: RequiredAction, work: Work): Promise<void> {
  const { db, realm, user, interaction, ip } = ctx
  const who = { realmId: realm.id, userId: user.id, interaction }
  return whileOnTheWay(db, who, async (tx, now, progress) => {
    if (!(progress.actions ?? now.required_actions).includes(action)) return
    await work({ ...ctx, db: tx, user: now, progress })
    await dropAction(tx, user.id, action)
    await finishAction(tx, interaction, action)
    await recordEvent(tx, realm, { type: eventOf[action] ?? action, userId: user.id, ipAddress: ip })
  })
}
