import type { Space } from '@quayside/contract/spaces/endpoints'
import { useNavigate } from '@tanstack/react-router'
import { useDeleteSpace } from '../../api/space.ts'
import { useConfirm } from '../../ui/actions/confirm.tsx'

/** Asks, deletes and opens the action that carries it out; says why when the server will not. */
export function useRemoveSpace() {
  const confirm = useConfirm()
  const navigate = useNavigate()
  const remove = useDeleteSpace()
  return async (space: Space): Promise<void> => {
    const sure = await confirm({
      title: 'Delete space',
      danger: true,
      message: (
        <>
          Delete <bdi>{space.displayName}</bdi>? Its namespaces go with everything in them, volumes too. Only a space
          without apps can be deleted.
        </>
      ),
    })
    if (!sure) return
    try {
      const { actionId } = await remove.mutateAsync(space.id)
      void navigate({ to: '/cloud-automation/$actionId', params: { actionId } })
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      await confirm({ type: 'alert', title: 'The space was not deleted', message })
    }
  }
}
