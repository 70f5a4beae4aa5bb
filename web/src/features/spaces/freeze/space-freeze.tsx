import type { Space } from '@quayside/contract/spaces/endpoints'
import IconSnowflake from '@tabler/icons-react/dist/esm/icons/IconSnowflake.mjs'
import { useState } from 'react'
import { FreezeNote } from '../../../api/freeze-note.tsx'
import { inSpace, useGuard } from '../../../api/permissions/my-scopes.ts'
import { useFreezeSpace } from '../../../api/space.ts'
import { useConfirm } from '../../../ui/actions/confirm.tsx'
import { GuardedButton } from '../../../ui/actions/guarded-button.tsx'
import { ErrorPanel } from '../../../ui/states/error-panel.tsx'
import { type ExemptField, FreezeDialog } from './freeze-dialog.tsx'

interface Props {
  space: Space
  exemptField: ExemptField
}

/** Opens the form of a freeze. */
export function FreezeButton({ space, exemptField }: Props) {
  const [editing, setEditing] = useState(false)
  const right = useGuard()('space.edit', `freeze deployments in ${space.displayName}`, inSpace(space.id))
  return (
    <>
      <GuardedButton icon={IconSnowflake} {...right} onClick={() => setEditing(true)}>
        {space.freeze === null ? 'Freeze' : 'Change freeze'}
      </GuardedButton>
      {editing && <FreezeDialog space={space} exemptField={exemptField} onClose={() => setEditing(false)} />}
    </>
  )
}

/** Tells of the freeze of a space, and ends it. */
export function SpaceFreeze({ space }: { space: Space }) {
  const end = useFreezeSpace(space.id)
  const confirm = useConfirm()
  const right = useGuard()('space.edit', `end the freeze of ${space.displayName}`, inSpace(space.id))
  if (space.freeze === null) return null
  const unfreeze = async () => {
    const message = `People can deploy in ${space.displayName} again.`
    if (await confirm({ title: 'End the freeze?', message })) end.mutate(undefined)
  }
  return (
    <>
      <FreezeNote
        freeze={space.freeze}
        action={
          <GuardedButton small {...right} onClick={() => void unfreeze()}>
            End freeze
          </GuardedButton>
        }
      />
      {end.error !== null && <ErrorPanel error={end.error} name="Freeze" />}
    </>
  )
}
