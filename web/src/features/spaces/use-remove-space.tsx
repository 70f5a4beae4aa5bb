import type { Space } from '@quayside/contract/spaces/endpoints'
import { useNavigate } from '@tanstack/react-router'
import { useDeleteSpace } from '../../api/space.ts'
import { useConfirm } from '../../ui/actions/confirm.tsx'
import { useTellFailure } from '../../ui/actions/tell-failure.ts'

/** Asks, deletes and opens the action that carries it out; says why when the server will not. */
export function useRemoveSpace() {
  const confirm = useConfirm()
  const tell = useTellFailure()
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
    const ended = await remove.mutateAsync(space.id).catch(tell('The space was not deleted'))
    if (ended) void navigate({ to: '/cloud-automation/$actionId', params: { actionId: ended.actionId } })
  }
}
