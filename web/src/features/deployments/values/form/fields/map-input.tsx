import type { FieldConfiguration } from '@quayside/values/form/field-configuration'
import { matches } from '@quayside/values/schema/schema-fits'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { type ComponentType, createContext, use, useId, useState } from 'react'
import { Button, IconButton } from '../../../../../ui/actions/button.tsx'
import field from '../../../../../ui/forms/field.module.css'
import { texts } from '../../../texts.ts'
import { DraftsContext, type Place } from '../drafts/drafts.ts'
import styles from '../values-form.module.css'
import { blankOf } from './blank-value.ts'
import type { EntryProps, FieldProps } from './field-input.tsx'
import type { Path } from './field-tree.ts'

/** The schema's rules for an entry's name, and the initial value of a new entry. */
export interface Names {
  isForbidden: (path: Path, name: string) => boolean
  initial: (path: Path, name: string) => unknown
}

export const NamesContext = createContext<Names>({ isForbidden: () => false, initial: () => undefined })

/** Entries under names of one's own: each can be renamed where it stands, taken away, and others added. */
export function MapInput({ Entry, ...props }: FieldProps & { Entry: ComponentType<EntryProps> }) {
  const { field: map, path, onEdit } = props
  const id = useId()
  const place: Place = { path: [...path, ''], isName: true }
  const { draft: name = '', keep, drop } = useNameDraft(place, '')
  const problemOf = useNameProblem(map, path)
  const { initial } = use(NamesContext)
  const [asked, setAsked] = useState(false)
  const own = map.objects.filter((child) => !map.map?.known.includes(child.name ?? ''))
  // Nobody is told what is missing before they ask for an entry.
  const problem = name === '' && !asked ? undefined : problemOf(name)
  const type = (text: string) => {
    setAsked(false)
    if (text === '') drop()
    else keep(text, problemOf(text) ?? texts.form.notAdded)
  }
  const add = () => {
    setAsked(true)
    if (problemOf(name) !== undefined) return
    onEdit([...path, name], { kind: 'value', value: initial(path, name) ?? blankOf(map.map?.template) })
    setAsked(false)
    drop()
  }
  return (
    <div className={styles.array}>
      {own.map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an entry that is renamed stays where it is, and so does the focus.
        <div key={index} className={styles.entry}>
          <KeyInput
            map={map}
            path={path}
            name={entry.name ?? ''}
            onRename={(to) => onEdit([...path, entry.name ?? ''], { kind: 'rename', name: to })}
          />
          <Entry {...props} field={entry} path={[...path, entry.name ?? '']} label={entry.name ?? ''} />
          <IconButton
            icon={IconX}
            label={`Remove ${entry.name}`}
            onClick={() => onEdit([...path, entry.name ?? ''], { kind: 'remove' })}
          />
        </div>
      ))}
      <div className={styles.entry}>
        <label htmlFor={id} className="unseen">
          {texts.form.newName}
        </label>
        <input
          id={id}
          dir="ltr"
          className={`${field.input} ${styles.newName}`}
          placeholder={texts.form.newName}
          value={name}
          spellCheck={false}
          aria-invalid={problem !== undefined}
          onChange={(event) => type(event.target.value)}
          onKeyDown={(event) => event.key === 'Enter' && add()}
        />
        <Button small icon={IconPlus} onClick={add}>
          {texts.form.add}
        </Button>
      </div>
      <NameProblem text={problem} />
    </div>
  )
}

function NameProblem({ text }: { text: string | undefined }) {
  if (text === undefined) return null
  return (
    <span className={styles.error} role="alert">
      <bdi>{text}</bdi>
    </span>
  )
}

/** A name that is being typed, which outlasts its input. */
function useNameDraft(place: Place, base: string) {
  const drafts = use(DraftsContext)
  const [draft, setDraft] = useState(() => drafts.at(place)?.text)
  return {
    draft,
    keep: (text: string, says: string) => {
      setDraft(text)
      drafts.keep({ ...place, base, text, says })
    },
    drop: () => {
      setDraft(undefined)
      drafts.drop(place)
    },
  }
}

/** Names that no reader of values keeps, and the one that merges another map in. */
const broken: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype', '<<'])

function useNameProblem({ objects, map }: FieldConfiguration, path: Path) {
  const { isForbidden } = use(NamesContext)
  return (name: string): string | undefined => {
    if (name.trim() === '') return texts.form.nameMissing
    if (broken.has(name) || name !== name.trim()) return texts.form.nameBroken
    if (objects.some((child) => child.name === name) || map?.known.includes(name)) return texts.form.nameTaken
    if (map?.pattern !== undefined && !matches(map.pattern, name)) return `Must match ${map.pattern}`
    return isForbidden(path, name) ? texts.form.nameForbidden : undefined
  }
}

interface KeyProps {
  map: FieldConfiguration
  path: Path
  name: string
  onRename: (name: string) => void
}

/** The name of an entry; it changes when it is left, and one that cannot be stays in the hands of who typed it. */
function KeyInput({ map, path, name, onRename }: KeyProps) {
  const { draft, keep, drop } = useNameDraft({ path: [...path, name], isName: true }, name)
  const problemOf = useNameProblem(map, path)
  const problem = draft === undefined || draft === name ? undefined : problemOf(draft)
  const commit = () => {
    if (draft === undefined || problem !== undefined) return
    drop()
    if (draft !== name) onRename(draft)
  }
  return (
    <span className={styles.keyBox}>
      <input
        dir="ltr"
        aria-label={`Name of ${name}`}
        className={`${field.input} ${styles.key}`}
        value={draft ?? name}
        spellCheck={false}
        aria-invalid={problem !== undefined}
        onChange={({ target: { value } }) => {
          if (value === name) drop()
          else keep(value, problemOf(value) ?? texts.form.notLeft)
        }}
        onBlur={commit}
        onKeyDown={(event) => event.key === 'Enter' && commit()}
      />
      <NameProblem text={problem} />
    </span>
  )
}
