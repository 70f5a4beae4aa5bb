import type { Action } from '@quayside/contract/deployment'
import { useQueryClient } from '@tanstack/react-query'
import { explainError } from '../lib/api/api-error.ts'
import { usePortal } from '../lib/portal.tsx'
import { useAccess } from '../lib/use-access.ts'
import { useConfirm } from './confirm.tsx'

/** Nobody has begun it, so it can be taken back. */
export const isWaiting = ({ running, state }: Action) => running && state === 'accepted'

/** Asks, then takes back an action that waits; tells when somebody was quicker. Undefined for who may not. */
export function useCancelAction(): ((action: Action) => Promise<void>) | undefined {
  const { api } = usePortal()
  const queries = useQueryClient()
  const confirm = useConfirm()
  const mayManage = useAccess('catalog-apps', 'catalog.deployments.manage')
  if (!mayManage) return undefined
  return async ({ id, kind, appName }) => {
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
}
