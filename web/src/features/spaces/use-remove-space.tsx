import type { Space } from '@quayside/contract/portal-api'
import { useDeleteSpace } from '../../api/space.ts'
import { useConfirm } from '../../ui/confirm.tsx'

/** Asks, deletes and says why when the server will not. True when the space is gone. */
export function useRemoveSpace() {
  const confirm = useConfirm()
  const remove = useDeleteSpace()
  return async (space: Space): Promise<boolean> => {
    const sure = await confirm({
      title: 'Delete space',
      danger: true,
      message: (
        <>
          Delete <bdi>{space.displayName}</bdi>? Its namespaces go with everything in them, volumes too. Only a space
          without apps can be deleted. Cloud automation shows how it goes.
        </>
      ),
    })
    if (!sure) return false
    try {
      await remove.mutateAsync(space.id)
      return true
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      await confirm({ type: 'alert', title: 'The space was not deleted', message })
      return false
    }
  }
}
