import type { CatalogSource } from '@quayside/contract/catalog/sources'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { type ReactNode, useState } from 'react'
import { useSynchronise } from '../../../api/catalog/sources.ts'
import { useGuard } from '../../../api/permissions/my-scopes.ts'
import type { Right } from '../../../ui/actions/explain.ts'
import type { MenuEntry } from '../../../ui/actions/row-menu.tsx'
import { useTellFailure } from '../../../ui/actions/tell-failure.ts'
import { DeleteSourceDialog } from './delete-source-dialog.tsx'
import { SourceDialog } from './source-dialog.tsx'

type Open = { dialog: 'edit' | 'delete'; source: CatalogSource } | undefined

/** Actions on a source, and the dialogs that they open. */
export function useSourceActions(onDeleted?: () => void): {
  entriesOf: (source: CatalogSource) => (MenuEntry & { right: Right; primary?: boolean })[]
  dialogs: ReactNode
} {
  const [open, setOpen] = useState<Open>()
  const guard = useGuard()
  const tell = useTellFailure()
  const synchronise = useSynchronise()
  const close = () => setOpen(undefined)
  const begin = (id: string) => synchronise.mutate(id, { onError: tell('Not synchronised') })
  const entriesOf = (source: CatalogSource) => {
    const right = guard('catalog.sources', `change the source ${source.name}`)
    return [
      { label: 'Synchronise now', icon: IconRefresh, onSelect: () => begin(source.id), right, primary: true },
      { label: 'Edit', icon: IconPencil, onSelect: () => setOpen({ dialog: 'edit', source }), right },
      {
        ...{ label: 'Delete', icon: IconTrash, danger: true, right },
        onSelect: () => setOpen({ dialog: 'delete', source }),
      },
    ]
  }
  const dialogs = (
    <>
      {open?.dialog === 'edit' && <SourceDialog source={open.source} onClose={close} onSaved={close} />}
      {open?.dialog === 'delete' && (
        <DeleteSourceDialog
          source={open.source}
          onClose={close}
          onDeleted={() => {
            close()
            onDeleted?.()
          }}
        />
      )}
    </>
  )
  return { entriesOf, dialogs }
}
