import type { Action } from '@quayside/contract/deployments/endpoints'
import { ApiError } from '../../lib/api/api-error.ts'
import { usePortal } from '../../lib/portal.tsx'
import { useConfirm } from '../../ui/actions/confirm.tsx'
import type { Right } from '../../ui/actions/explain.ts'
import { useTellFailure } from '../../ui/actions/tell-failure.ts'
import { actionControl, ofAction, useGuard } from '../permissions/my-scopes.ts'
import { abortAction, cancelAction, useActionChanged } from './actions.ts'

/** Nobody has begun it. */
export const isWaiting = ({ running, state }: Action) => running && state === 'accepted'

interface End {
  /** One without a Helm is cancelled, which leaves nothing; else its Helm is ended. */
  label: 'Cancel' | 'Abort'
  right: Right
  end(): Promise<void>
}

/** Ends a running action: asks first, and tells when it is too late. Undefined when there is nothing to end. */
export function useEndAction(): (action: Action) => End | undefined {
  const { api } = usePortal()
  const changed = useActionChanged()
  const confirm = useConfirm()
  const tell = useTellFailure()
  const mayAbort = useConfirmAbort()
  const guard = useGuard()
  const mayCancel = ({ kind, appName, ...rest }: Action) => {
    const so = isWaiting({ kind, appName, ...rest })
      ? 'Nothing of it has begun, so nothing changes.'
      : 'Helm was not started for it: what was set up before is taken back, and the app stays as it was.'
    return confirm({ title: 'Cancel action', message: `Cancel this ${kind} of ${appName}? ${so}` })
  }
  const end = async (action: Action) => {
    const { id, kind, appName, cancellable } = action
    if (!(await (cancellable ? mayCancel(action) : mayAbort(`${kind} of ${appName}`)))) return
    await (cancellable ? cancelAction : abortAction)(api, id).catch(tell('Not done'))
    void changed()
  }
  return (action) => {
    if (!action.cancellable && !action.abortable) return undefined
    const label = action.cancellable ? 'Cancel' : 'Abort'
    const { kind, appName } = action
    const purpose = `${label.toLowerCase()} the ${kind} of ${appName}`
    return { label, right: guard(actionControl('cancel', action), purpose, ofAction(action)), end: () => end(action) }
  }
}

/** Asks before the Helm of an action is ended, and says what that leaves. */
function useConfirmAbort(): (what: string) => Promise<boolean> {
  const confirm = useConfirm()
  return (what) =>
    confirm({
      title: 'Abort action',
      message: `Abort this ${what}? Helm is ended now. The objects it has made so far stay on the cluster; afterwards you can roll back, delete the app or keep it as it is.`,
      danger: true,
    })
}

/** Ends an action of which only the id is known: cancels it, and once Helm has started asks before it aborts it. */
export function useEndById(): (id: string, what: string) => Promise<void> {
  const { api } = usePortal()
  const mayAbort = useConfirmAbort()
  return async (id, what) => {
    try {
      await cancelAction(api, id)
    } catch (error) {
      const isBegun = error instanceof ApiError && error.code === 'deployment.not-waiting'
      if (!isBegun) throw error
      if (await mayAbort(what)) await abortAction(api, id)
    }
  }
}
