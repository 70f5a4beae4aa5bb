import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useDeferredValue, useState } from 'react'
import styles from './palette.module.css'
import { type Jump, usePaletteResults } from './use-palette-results.ts'

/** Jumps to a page, a space, an app, a catalog item or a cluster by typing a part of its name. */
export function Palette({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const navigate = useNavigate()
  const { groups, failed, busy } = usePaletteResults(useDeferredValue(text))
  const all = groups.flatMap(({ jumps }) => jumps)
  const current = Math.min(chosen, all.length - 1)
  const go = (jump: Jump | undefined) => {
    if (jump === undefined) return
    onClose()
    void navigate({ to: jump.to as '/apps' })
  }
  const onKey = (event: KeyboardEvent) => {
    const act: Record<string, () => void> = {
      ArrowDown: () => setChosen((current + 1) % Math.max(1, all.length)),
      ArrowUp: () => setChosen((current - 1 + all.length) % Math.max(1, all.length)),
      Enter: () => go(all[current]),
    }
    if (act[event.key] === undefined || event.nativeEvent.isComposing) return
    event.preventDefault()
    act[event.key]?.()
  }
  return (
    <dialog
      ref={(dialog) => {
        if (dialog !== null && !dialog.open) dialog.showModal()
      }}
      className={styles.palette}
      aria-label="Search or jump to"
      onClose={onClose}
      onCancel={onClose}
      // A press on the backdrop is a press on the dialog itself.
      onPointerDown={(event) => event.target === event.currentTarget && onClose()}
    >
      <div className={styles.head}>
        <IconSearch size={18} stroke={1.75} aria-hidden />
        <input
          className={styles.input}
          role="combobox"
          aria-label="Search or jump to"
          aria-expanded={all.length > 0}
          aria-controls="palette-list"
          aria-activedescendant={all.length > 0 ? `palette-${current}` : undefined}
          aria-autocomplete="list"
          placeholder="Search or jump to"
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            setChosen(0)
          }}
          onKeyDown={onKey}
        />
        <kbd className={styles.key}>Esc</kbd>
      </div>
      <div id="palette-list" role="listbox" aria-label="Results" className={styles.list}>
        {groups.map(({ title, jumps }) => (
          <Group
            key={title}
            title={title}
            jumps={jumps}
            first={all.indexOf(jumps[0] as Jump)}
            current={current}
            go={go}
          />
        ))}
      </div>
      <p className={styles.note} role="status">
        {all.length === 0 && (busy ? 'Loading' : 'No Match Found!')}
        {failed.length > 0 && `Could not be searched: ${failed.join(', ')}`}
      </p>
    </dialog>
  )
}

interface GroupProps {
  title: string
  jumps: readonly Jump[]
  /** Where its first result stands among all of them. */
  first: number
  current: number
  go: (jump: Jump) => void
}

function Group({ title, jumps, first, current, go }: GroupProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a part of a listbox.
    <div role="group" aria-label={title}>
      <p className={styles.title} aria-hidden="true">
        {title}
      </p>
      {jumps.map((jump, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the text field's, which keeps the focus.
        <div
          key={jump.to}
          id={`palette-${first + index}`}
          ref={(option) => {
            if (first + index === current) option?.scrollIntoView?.({ block: 'nearest' })
          }}
          role="option"
          tabIndex={-1}
          aria-selected={first + index === current}
          className={styles.jump}
          onClick={() => go(jump)}
        >
          <bdi>{jump.name}</bdi>
          {jump.detail !== '' && <bdi className={styles.detail}>{jump.detail}</bdi>}
        </div>
      ))}
    </div>
  )
}
