import type { Group } from '@quayside/contract/groups/endpoints'
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs'
import IconUsers from '@tabler/icons-react/dist/esm/icons/IconUsers.mjs'
import { type DragEvent, type KeyboardEvent, useState } from 'react'
import { useMoveGroup } from '../../api/groups.ts'
import { useMay } from '../../api/permissions/my-scopes.ts'
import { useConfirm } from '../../ui/actions/confirm.tsx'
import { useTellFailure } from '../../ui/actions/tell-failure.ts'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { flattenGroups, type GroupLine } from './flatten-groups.ts'
import styles from './group-tree.module.css'
import { canHold } from './places-for.ts'

interface Props {
  groups: readonly Group[]
  search: string
  selected: string | undefined
  onSelect: (id: string) => void
}

/** A tree with the keys of one: up and down move, start and end open and close, Enter chooses. */
export function GroupTree({ groups, search, selected, onSelect }: Props) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const lines = flattenGroups(groups, closed, search)
  const drag = useDrag(groups)
  const focusable = lines.some(({ group }) => group.id === selected) ? selected : lines[0]?.group.id
  const toggle = (id: string) =>
    setClosed((before) =>
      before.has(id) ? new Set([...before].filter((other) => other !== id)) : new Set([...before, id]),
    )
  const onKey = (line: GroupLine, index: number) => (event: KeyboardEvent<HTMLElement>) => {
    const rtl = document.documentElement.dir === 'rtl'
    const items = event.currentTarget.closest('[role=tree]')?.querySelectorAll<HTMLElement>('[role=treeitem]')
    const act: Record<string, () => void> = {
      ArrowDown: () => items?.[index + 1]?.focus(),
      ArrowUp: () => items?.[index - 1]?.focus(),
      [rtl ? 'ArrowLeft' : 'ArrowRight']: () => !line.open && toggle(line.group.id),
      [rtl ? 'ArrowRight' : 'ArrowLeft']: () => line.open && line.group.subGroups.length > 0 && toggle(line.group.id),
      Enter: () => onSelect(line.group.id),
      ' ': () => onSelect(line.group.id),
    }
    if (act[event.key] === undefined) return
    event.preventDefault()
    act[event.key]?.()
  }
  if (lines.length === 0) return <EmptyState title="No group matches" />
  return (
    <div role="tree" aria-label="Groups" className={styles.tree}>
      {lines.map((line, index) => (
        <div
          key={line.group.id}
          role="treeitem"
          aria-level={line.level}
          aria-expanded={line.group.subGroups.length === 0 ? undefined : line.open}
          aria-selected={line.group.id === selected}
          tabIndex={line.group.id === focusable ? 0 : -1}
          className={styles.item}
          style={{ paddingInlineStart: 12 + (line.level - 1) * 20 }}
          onClick={() => onSelect(line.group.id)}
          onKeyDown={onKey(line, index)}
          {...drag(line.group)}
        >
          <IconChevronRight
            size={16}
            aria-hidden
            className={styles.arrow}
            data-open={line.open}
            data-leaf={line.group.subGroups.length === 0}
            onClick={(event) => {
              event.stopPropagation()
              toggle(line.group.id)
            }}
          />
          <IconUsers size={16} stroke={1.6} aria-hidden className={styles.icon} />
          <bdi className={styles.name}>{line.group.name}</bdi>
          <bdi className={styles.path}>{line.group.path}</bdi>
          <span className={styles.count}>
            <bdi>{line.group.memberCount}</bdi> {line.group.memberCount === 1 ? 'member' : 'members'}
          </span>
        </div>
      ))}
    </div>
  )
}

/** Dragging a group onto another one moves it there; the button Move does the same for who does not drag. */
function useDrag(groups: readonly Group[]) {
  const mayMove = useMay()('group.edit') === true
  const move = useMoveGroup()
  const confirm = useConfirm()
  const tell = useTellFailure()
  const [dragged, setDragged] = useState<Group>()
  const [over, setOver] = useState<string>()
  const drop = async (target: Group) => {
    if (dragged === undefined || !canHold(groups, target.id, dragged.id)) return
    const isSure = await confirm({
      title: 'Move group',
      message: `Move ${dragged.name} into ${target.name}? Its members get the roles and spaces of ${target.name} and lose those of its current parent groups.`,
    })
    if (!isSure) return
    move.mutate({ id: dragged.id, parent: target.id }, { onError: tell('Not moved') })
  }
  return (group: Group) => ({
    draggable: mayMove,
    'data-over': over === group.id ? true : undefined,
    onDragStart: () => setDragged(group),
    onDragEnd: () => {
      setDragged(undefined)
      setOver(undefined)
    },
    onDragOver: (event: DragEvent<HTMLElement>) => {
      if (dragged === undefined || !canHold(groups, group.id, dragged.id)) return
      event.preventDefault()
      setOver(group.id)
    },
    onDragLeave: () => setOver(undefined),
    onDrop: (event: DragEvent<HTMLElement>) => {
      event.preventDefault()
      setOver(undefined)
      void drop(group)
    },
  })
}
