import type { Action } from '@quayside/contract/deployment'
import { useQueryClient } from '@tanstack/react-query'
import { explainError } from '../lib/api/api-error.ts'
import { usePortal } from '../lib/portal.tsx'
import { useMayWorkOn } from '../lib/use-access.ts'
import { useConfirm } from './confirm.tsx'

/** Nobody has begun it, so it can be taken back. */
export const isWaiting = ({ running, state }: Action) => running && state === 'accepted'

/** Of an action that waits, what takes it back: asks first, and tells when somebody was quicker. Undefined for who may not. */
export function useCancelAction(): (action: Action) => (() => Promise<void>) | undefined {
  const { api } = usePortal()
  const queries = useQueryClient()
  const confirm = useConfirm()
  const mayWorkOn = useMayWorkOn()
  const cancel = async ({ id, kind, appName }: Action) => {
    const message = `Cancel this ${kind} of ${appName}? Nothing of it has begun, so nothing changes.`
    if (!(await confirm({ title: 'Cancel action', message }))) return
    try {
      await api.post<Action>(`/deployment/v1/actions/${id}/cancel`)
    } catch (error) {
      await confirm({ type: 'alert', title: 'Not done', message: explainError(error, navigator.onLine).message })
    } finally {
      for (const queryKey of [['actions'], ['apps']]) void queries.invalidateQueries({ queryKey })
    }
  }
  return (action) => (isWaiting(action) && mayWorkOn(action.kind) ? () => cancel(action) : undefined)
}
