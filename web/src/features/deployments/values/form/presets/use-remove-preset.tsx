import type { Preset } from '@quayside/contract/deployments/presets'
import { useDeletePreset } from '../../../../../api/deployments/presets.ts'
import { useConfirm } from '../../../../../ui/actions/confirm.tsx'
import { useTellFailure } from '../../../../../ui/actions/tell-failure.ts'
import { texts } from '../../../texts.ts'

const t = texts.presets

/** Asks, deletes and says why when the server will not; the menu that it is called from closes meanwhile. */
export function useRemovePreset(itemId: string) {
  const remove = useDeletePreset(itemId)
  const confirm = useConfirm()
  const tell = useTellFailure()
  return async (preset: Preset): Promise<void> => {
    const message = (
      <>
        {t.remove} <bdi>{preset.name}</bdi>? {t.removeQuestion}
      </>
    )
    if (!(await confirm({ title: t.removeTitle, danger: true, message }))) return
    await remove.mutateAsync(preset.id).catch(tell(t.notRemoved))
  }
}
