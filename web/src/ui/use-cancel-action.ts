import type { Action } from '@quayside/contract/deployment'
import { useQueryClient } from '@tanstack/react-query'
import { explainError } from '../lib/api/api-error.ts'
import { usePortal } from '../lib/portal.tsx'
import { useMayWorkOn } from '../lib/use-access.ts'
import { useConfirm } from './confirm.tsx'

/** Nobody has begun it. */
export const isWaiting = ({ running, state }: Action) => running && state === 'accepted'

/** Of an action without a Helm yet, what takes it back: asks first, and tells when it is too late. Undefined for who may not. */
export function useCancelAction(): (action: Action) => (() => Promise<void>) | undefined {
  const { api } = usePortal()
  const queries = useQueryClient()
  const confirm = useConfirm()
  const mayWorkOn = useMayWorkOn()
  const cancel = async (action: Action) => {
    const { id, kind, appName } = action
    const so = isWaiting(action)
      ? 'Nothing of it has begun, so nothing changes.'
      : 'Helm was not started for it: what was set up before is taken back, and the app stays as it was.'
    const message = `Cancel this ${kind} of ${appName}? ${so}`
    if (!(await confirm({ title: 'Cancel action', message }))) return
    try {
      await api.post<Action>(`/deployment/v1/actions/${id}/cancel`)
    } catch (error) {
      await confirm({ type: 'alert', title: 'Not done', message: explainError(error, navigator.onLine).message })
    } finally {
      for (const queryKey of [['actions'], ['apps']]) void queries.invalidateQueries({ queryKey })
    }
  }
  return (action) => (action.cancellable && mayWorkOn(action.kind, action.spaceId) ? () => cancel(action) : undefined)
}
