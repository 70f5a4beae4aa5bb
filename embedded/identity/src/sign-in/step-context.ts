import { setRequiredActions, type User } from '../directory/users.ts'
import type { Ceremony } from '../passkeys/ceremonies.ts'
import { finishAction, type Progress } from './progress.ts'

/** Form of somebody who is known, on their way through the pages. */
export interface StepContext extends Ceremony {
  user: User
  progress: Progress
  form: URLSearchParams
  ip: string
}

/** Message about invalid input; undefined when the step is done. */
export type StepResult = Promise<string | undefined>

/** Takes an action off the list of what the person has to do. */
export async function doneWith({ db, user, interaction }: StepContext, action: string): Promise<void> {
  await setRequiredActions(
    db,
    user.id,
    user.required_actions.filter((entry) => entry !== action),
  )
  await finishAction(db, interaction, action)
}
