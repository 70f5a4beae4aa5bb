import type { Group } from '@quayside/contract/groups/endpoints'
import IconArrowsMove from '@tabler/icons-react/dist/esm/icons/IconArrowsMove.mjs'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { peopleQuery, useChangeDefaultGroup, useDefaultGroups, useDeleteGroup } from '../../api/groups.ts'
import { useGuard, useMay } from '../../api/permissions/my-scopes.ts'
import { usePortal } from '../../lib/portal.tsx'
import { useConfirm } from '../../ui/actions/confirm.tsx'
import { GuardedButton } from '../../ui/actions/guarded-button.tsx'
import { useTellFailure } from '../../ui/actions/tell-failure.ts'
import { Panel } from '../../ui/layout/panel.tsx'
import { countGroups } from './flatten-groups.ts'
import { EditGroupDialog, NewGroupDialog } from './group-dialog.tsx'
import styles from './group-members.module.css'
import { MoveDialog } from './move-dialog.tsx'

interface Props {
  group: Group
  groups: readonly Group[]
  onSelect: (id: string | undefined) => void
}

/** Buttons for the chosen group. */
export function GroupActions({ group, groups, onSelect }: Props) {
  const guard = useGuard()
  const confirm = useConfirm()
  const tell = useTellFailure()
  const queries = useQueryClient()
  const { api } = usePortal()
  const remove = useDeleteGroup()
  const [open, setOpen] = useState<'new' | 'edit' | 'move'>()
  const { name } = group
  const close = () => setOpen(undefined)
  const ask = async () => {
    const below = countGroups(group.subGroups)
    const people = await queries.fetchQuery(peopleQuery(api, [group.id])).catch(() => undefined)
    const isSure = await confirm({
      title: 'Delete group',
      message: [
        `Delete ${name}${below > 0 ? ` with ${below} ${below === 1 ? 'group' : 'groups'} below it` : ''}?`,
        people === undefined
          ? 'Its members stay'
          : `${people} ${people === 1 ? 'person is' : 'people are'} in it: they stay`,
        'and lose the roles and spaces that it gives them.',
      ].join(' '),
      danger: true,
    })
    if (!isSure) return
    remove.mutate(group.id, {
      onSuccess: () => onSelect(undefined),
      onError: tell('Not deleted'),
    })
  }
  return (
    <Panel title={name}>
      <div className={styles.actions}>
        <GuardedButton small icon={IconPlus} {...guard('group.create', 'make a group')} onClick={() => setOpen('new')}>
          New subgroup
        </GuardedButton>
        <GuardedButton small icon={IconPencil} {...guard('group.edit', `edit ${name}`)} onClick={() => setOpen('edit')}>
          Edit
        </GuardedButton>
        <GuardedButton
          small
          icon={IconArrowsMove}
          {...guard('group.edit', `move ${name}`)}
          onClick={() => setOpen('move')}
        >
          Move
        </GuardedButton>
        <DefaultToggle group={group} />
        <GuardedButton
          small
          icon={IconTrash}
          {...guard('group.delete', `delete ${name}`)}
          busy={remove.isPending}
          onClick={() => void ask()}
        >
          Delete
        </GuardedButton>
      </div>
      {open === 'new' && (
        <NewGroupDialog
          parent={group}
          onClose={close}
          onMade={(id) => {
            close()
            onSelect(id)
          }}
        />
      )}
      {open === 'edit' && <EditGroupDialog group={group} onClose={close} />}
      {open === 'move' && <MoveDialog group={group} groups={groups} onClose={close} />}
    </Panel>
  )
}

/** The switch by which every new user is put into the group. */
function DefaultToggle({ group }: { group: Group }) {
  const seesDefaults = useMay()('group.see-defaults') === true
  const defaults = useDefaultGroups(seesDefaults)
  const change = useChangeDefaultGroup()
  const confirm = useConfirm()
  const tell = useTellFailure()
  const right = useGuard()('group.defaults', 'change the groups of every new user')
  if (!seesDefaults || defaults.data === undefined) return null
  const isDefault = defaults.data.some(({ id }) => id === group.id)
  const ask = async () => {
    const isSure =
      isDefault ||
      (await confirm({
        title: 'Default group',
        message: `Every new user joins ${group.name} and gets its roles and its access to spaces.`,
      }))
    if (!isSure) return
    const way = isDefault ? 'removeDefaultGroup' : 'addDefaultGroup'
    change.mutate({ way, gid: group.id }, { onError: tell('Not changed') })
  }
  return (
    <GuardedButton small {...right} busy={change.isPending} aria-pressed={isDefault} onClick={() => void ask()}>
      {isDefault ? 'Default group: on' : 'Default group: off'}
    </GuardedButton>
  )
}
