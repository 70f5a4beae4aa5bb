import type { Action } from '@quayside/contract/deployments/endpoints'
import { explainError } from '../../lib/api/api-error.ts'
import { usePortal } from '../../lib/portal.tsx'
import { useConfirm } from '../../ui/actions/confirm.tsx'
import type { Right } from '../../ui/actions/explain.ts'
import { actionControl, ofAction, useGuard } from '../permissions/my-scopes.ts'
import { cancelAction, useActionChanged } from './actions.ts'

/** Nobody has begun it. */
export const isWaiting = ({ running, state }: Action) => running && state === 'accepted'

interface Cancel {
  right: Right
  cancel(): Promise<void>
}

/** Takes back an action without a Helm yet: asks first, and tells when it is too late. Undefined when it is too late. */
export function useCancelAction(): (action: Action) => Cancel | undefined {
  const { api } = usePortal()
  const changed = useActionChanged()
  const confirm = useConfirm()
  const guard = useGuard()
  const cancel = async (action: Action) => {
    const { id, kind, appName } = action
    const so = isWaiting(action)
      ? 'Nothing of it has begun, so nothing changes.'
      : 'Helm was not started for it: what was set up before is taken back, and the app stays as it was.'
    const message = `Cancel this ${kind} of ${appName}? ${so}`
    if (!(await confirm({ title: 'Cancel action', message }))) return
    try {
      await cancelAction(api, id)
    } catch (error) {
      await confirm({ type: 'alert', title: 'Not done', message: explainError(error, navigator.onLine).message })
    } finally {
      void changed()
    }
  }
  return (action) => {
    if (!action.cancellable) return undefined
    const { kind, appName } = action
    const right = guard(actionControl('cancel', action), `cancel the ${kind} of ${appName}`, ofAction(action))
    return { right, cancel: () => cancel(action) }
  }
}
