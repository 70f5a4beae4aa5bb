import type { Group } from '@quayside/contract/groups/endpoints'
import { useState } from 'react'
import { useMoveGroup } from '../../api/groups.ts'
import { FormDialog } from '../../ui/forms/form-dialog.tsx'
import { OptionSelect } from '../../ui/forms/option-select.tsx'
import styles from './group-members.module.css'
import { placesFor, top } from './places-for.ts'

interface Props {
  group: Group
  groups: readonly Group[]
  onClose: () => void
}

/** Moves a group with everything below it. */
export function MoveDialog({ group, groups, onClose }: Props) {
  const move = useMoveGroup()
  const places = placesFor(groups, group)
  const [place, setPlace] = useState<string>()
  return (
    <FormDialog
      title={`Move ${group.name}`}
      submitLabel="Move"
      busy={move.isPending}
      disabled={place === undefined}
      error={move.error}
      onClose={onClose}
      onSubmit={() =>
        move.mutate({ id: group.id, parent: place === top.value ? undefined : place }, { onSuccess: onClose })
      }
    >
      <OptionSelect
        label="To"
        options={places}
        value={place}
        placeholder="Choose a place"
        emptyText="There is nowhere else to move it"
        onChange={setPlace}
      />
      <p className={styles.text}>
        <bdi>Its members lose the roles and spaces of its current parent groups and get those of the new ones.</bdi>
      </p>
    </FormDialog>
  )
}
