import type { App } from '@quayside/contract/apps/endpoints'
import { deletePod } from '../../../api/workloads.ts'
import { usePortal } from '../../../lib/portal.tsx'
import { useConfirm } from '../../../ui/actions/confirm.tsx'
import { useTellFailure } from '../../../ui/actions/tell-failure.ts'

/** Asks, then deletes a pod; what owns it starts a new one. */
export function useDeletePod(app: App) {
  const { api } = usePortal()
  const confirm = useConfirm()
  const tell = useTellFailure()
  return async ({ name, namespace }: { name: string; namespace: string | null }) => {
    if (!(await confirm({ message: `Delete pod ${name}? What owns it makes a new one.`, danger: true }))) return
    await deletePod(api, app.id, namespace ?? app.namespace, name).catch(tell('Not deleted'))
  }
}
