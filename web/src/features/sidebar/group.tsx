import type { MenuGroup } from '@quayside/contract/sidebar/endpoints'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useId, useState } from 'react'
import { usePins, useUnpin } from '../../api/pins.tsx'
import { classNames } from '../../ui/marks/class-names.ts'
import { Actions } from './actions.tsx'
import styles from './custom-sidebar.module.css'
import { Entry } from './entry.tsx'
import { setFolded, useFolded } from './folded.ts'
import { movedTo } from './order.ts'
import { texts } from './texts.ts'
import { useChangeSidebar } from './use-change-sidebar.tsx'

const t = texts.ours

/** One group: its title folds it; its pins can be dragged into another order, or moved from their menu. */
export function Group({ group, small }: { group: MenuGroup; small: boolean }) {
  const folded = useFolded(group.id)
  const list = useId()
  return (
    <section aria-label={group.title} className={styles.group}>
      {!small && <GroupHead group={group} folded={folded} list={list} />}
      {!folded && <Entries group={group} small={small} list={list} />}
    </section>
  )
}

function GroupHead({ group, folded, list }: { group: MenuGroup; folded: boolean; list: string }) {
  const { open } = usePins()
  const { deleteGroup } = useChangeSidebar()
  const { id, title } = group
  return (
    <div className={styles.row}>
      <button
        type="button"
        className={styles.title}
        aria-expanded={!folded}
        aria-controls={folded ? undefined : list}
        onClick={() => setFolded(id, !folded)}
      >
        <IconChevronDown
          size={14}
          stroke={2}
          aria-hidden
          className={classNames(styles.chevron, folded && styles.shut)}
        />
        <bdi className={styles.name}>{title}</bdi>
      </button>
      <Actions
        name={title}
        actions={[
          { label: t.addEntry, icon: IconPlus, act: () => open({ ask: 'entry', groupId: id }) },
          { label: t.editGroup, icon: IconPencil, act: () => open({ ask: 'title', group: { id, title } }) },
          { label: t.deleteGroup, icon: IconTrash, danger: true, act: () => void deleteGroup(group) },
        ]}
      />
    </div>
  )
}

function Entries({ group, small, list }: { group: MenuGroup; small: boolean; list: string }) {
  const { order } = useChangeSidebar()
  const unpin = useUnpin()
  const [drag, setDrag] = useState<{ id: string; ids: readonly string[] }>()
  const kept = group.entries.map(({ id }) => id)
  const ids = drag?.ids ?? kept
  const shown = ids.flatMap((id) => group.entries.find((entry) => entry.id === id) ?? [])
  const move = (to: readonly string[]) => to.join() !== kept.join() && void order(group, to)
  if (shown.length === 0) return small ? null : <p className={styles.note}>{t.emptyGroup}</p>
  return (
    <ul id={list} className={styles.list}>
      {shown.map((entry, place) => (
        <li
          key={entry.id}
          draggable={!small}
          className={classNames(styles.row, drag?.id === entry.id && styles.dragged)}
          onDragStart={(event) => {
            event.dataTransfer.effectAllowed = 'move'
            setDrag({ id: entry.id, ids: kept })
          }}
          onDragEnter={() => drag && setDrag({ ...drag, ids: movedTo(drag.ids, drag.id, place) })}
          onDragOver={(event) => drag && event.preventDefault()}
          onDrop={(event) => {
            event.preventDefault()
            if (drag) move(drag.ids)
          }}
          onDragEnd={() => setDrag(undefined)}
        >
          <Entry
            entry={entry}
            small={small}
            onMove={(by) => move(movedTo(kept, entry.id, place + by))}
            isFirst={place === 0}
            isLast={place === shown.length - 1}
            onRemove={() => void unpin(entry.itemName ?? entry.name, [entry])}
          />
        </li>
      ))}
    </ul>
  )
}
