import type { AppLink } from '@quayside/contract/app-links/endpoints'
import { useDeleteAppLink } from '../../api/app-links.ts'
import { useConfirm } from '../../ui/actions/confirm.tsx'
import { useTellFailure } from '../../ui/actions/tell-failure.ts'

/** Asks, and deletes; says why when the server will not. */
export function useRemoveAppLink() {
  const confirm = useConfirm()
  const tell = useTellFailure()
  const removal = useDeleteAppLink()
  return async ({ id, name }: AppLink): Promise<void> => {
    const message = (
      <>
        Delete <bdi>{name}</bdi>? Nobody finds it here any more; what it leads to stays.
      </>
    )
    if (!(await confirm({ title: 'Delete app link', message, danger: true }))) return
    await removal.mutateAsync(id).catch(tell('The app link was not deleted'))
  }
}
