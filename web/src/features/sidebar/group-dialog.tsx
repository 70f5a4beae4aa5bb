import type { MenuGroup } from '@quayside/contract/sidebar/endpoints'
import { useState } from 'react'
import { useRenameGroup } from '../../api/sidebar.ts'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { texts } from './texts.ts'
import { TitleField } from './title-field.tsx'
import { useAlert } from './use-alert.ts'

interface Props {
  group: Pick<MenuGroup, 'id' | 'title'>
  onClose: () => void
}

/** The dialog that renames a group of the side bar. */
export function GroupDialog({ group, onClose }: Props) {
  const [title, setTitle] = useState(group.title)
  const { alert, isOpen } = useAlert()
  const save = useRenameGroup(group.id)
  const submit = () => {
    if (save.isPending) return
    if (title.trim() === '') void alert(texts.invalidGroup)
    else save.mutate(title.trim(), { onSuccess: onClose })
  }
  return (
    <FormDialog
      title={texts.edit}
      submitLabel={texts.confirm}
      onClose={() => !isOpen.current && onClose()}
      onSubmit={submit}
      busy={save.isPending}
      disabled={title === ''}
      error={save.error}
      errorName={texts.errorArea}
    >
      <TitleField label={texts.groupName} value={title} onChange={setTitle} onEnter={submit} />
    </FormDialog>
  )
}
