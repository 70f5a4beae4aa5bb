import type { CatalogSource } from '@quayside/contract/catalog/sources'
import { useState } from 'react'
import { useDeleteSource } from '../../../api/catalog/sources.ts'
import { Radio } from '../../../ui/forms/checkbox.tsx'
import { FieldGroup } from '../../../ui/forms/field-group.tsx'
import { FormDialog } from '../../../ui/forms/form-dialog.tsx'
import styles from './sources.module.css'

interface Props {
  source: CatalogSource
  onClose: () => void
  onDeleted: () => void
}

const choices = [
  { items: 'keep', words: 'Keep all items; they get no new versions' },
  { items: 'delete', words: 'Delete items that are not deployed' },
] as const

/** Deletes a source, after asking what is to become of its items. */
export function DeleteSourceDialog({ source, onClose, onDeleted }: Props) {
  const [items, setItems] = useState<'keep' | 'delete'>('keep')
  const removal = useDeleteSource()
  return (
    <FormDialog
      title="Delete source"
      submitLabel="Delete source"
      busy={removal.isPending}
      error={removal.error}
      onClose={onClose}
      onSubmit={() => removal.mutate({ id: source.id, items }, { onSuccess: onDeleted })}
    >
      <p className={styles.sentence}>
        Delete <bdi>{source.name}</bdi>? Apps that are deployed from its charts go on, and can be deployed again: their
        packages stay in the catalog.
      </p>
      {source.itemCount > 0 && (
        <FieldGroup legend="Catalog items that came from it">
          <div className={styles.choices}>
            {choices.map((choice) => (
              <Radio
                key={choice.items}
                name="items"
                checked={items === choice.items}
                onChange={() => setItems(choice.items)}
              >
                {choice.words}
              </Radio>
            ))}
          </div>
        </FieldGroup>
      )}
    </FormDialog>
  )
}
