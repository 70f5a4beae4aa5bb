import type { FieldConfiguration } from '@quayside/contract/deployment'
import { memo, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { SearchField } from '../../../ui/search-field.tsx'
import { texts } from '../texts.ts'
import { FieldInput } from './field-input.tsx'
import { type FieldGroup, findFields, firstGroup, groupsOf, leavesOf } from './field-tree.ts'
import { emptyLayout } from './layout.ts'
import { useSteadyChoice } from './use-steady-choice.ts'
import type { Values } from './use-values.ts'
import styles from './values-form.module.css'

export interface FormPlace {
  clusterId: string
  spaceId: string
}

interface Props {
  values: Values
  /** The fields of the chart's own values, to mark what was changed. */
  defaults: readonly FieldConfiguration[]
  place: FormPlace
}

/** A group of thousands takes a browser a minute to draw, and nobody reads on so far. */
const atOnce = 200

/** The form of a values document. The YAML text is the truth: an input rewrites only the bytes of its own value. */
export const ValuesForm = memo(AllFields)

function AllFields({ values, defaults, place }: Props) {
  const { fields } = values.model
  const before = useMemo(() => leavesOf(defaults), [defaults])
  const layout = useRef(emptyLayout())
  const groups = useMemo(() => groupsOf(fields, layout.current), [fields])
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState<string>()
  const first = useRef<string>(undefined)
  // What an edit asks for now is no reason to show another group.
  first.current ??= firstGroup(groups)?.key
  const group = groups.find(({ key }) => key === (chosen ?? first.current)) ?? firstGroup(groups)
  const steady = useSteadyChoice(fields)
  const shown = search.trim() === '' ? (group?.fields ?? []) : findFields(fields, search)
  const [limit, setLimit] = useState(atOnce)
  const choose = useCallback((key: string) => {
    setChosen(key)
    setSearch('')
    setLimit(atOnce)
  }, [])
  const find = (text: string) => {
    setSearch(text)
    setLimit(atOnce)
  }

  if (groups.length === 0)
    return <EmptyState title="Nothing to set" text="This version has no values that a form can show." />
  return (
    <div className={styles.form}>
      <div className={styles.side}>
        <div className={styles.find}>
          <SearchField label="Find a setting" value={search} onChange={find} />
        </div>
        <ul className={styles.groups}>
          {groups.map((one) => (
            <GroupButton
              key={one.key}
              group={one}
              isCurrent={search.trim() === '' && one.key === group?.key}
              onChoose={choose}
            />
          ))}
        </ul>
      </div>
      <fieldset className={styles.fields} {...steady}>
        <legend className="unseen">{search.trim() === '' ? group?.label : 'Found settings'}</legend>
        {shown.length === 0 && (
          <p className={styles.none}>
            <bdi>No Match Found!</bdi>
          </p>
        )}
        {shown.slice(0, limit).map(({ field, path, masked }) => (
          <FieldInput
            key={path.join('.')}
            field={field}
            path={path}
            before={before}
            place={place}
            showPath={search.trim() !== ''}
            masked={masked}
            onEdit={values.edit}
          />
        ))}
        {shown.length > limit && (
          <Button className={styles.more} onClick={() => setLimit(limit + atOnce)}>
            {texts.form.more(Math.min(atOnce, shown.length - limit), shown.length - limit)}
          </Button>
        )}
      </fieldset>
    </div>
  )
}

interface GroupProps {
  group: FieldGroup
  isCurrent: boolean
  onChoose: (key: string) => void
}

/** There may be hundreds, and an edit changes one. */
const GroupButton = memo(({ group, isCurrent, onChoose }: GroupProps) => {
  const button = useRef<HTMLButtonElement>(null)
  // The form may begin with a group that is far down its list.
  useEffect(() => {
    if (isCurrent) button.current?.scrollIntoView?.({ block: 'nearest', inline: 'nearest' })
  }, [isCurrent])
  return (
    <li>
      <button
        ref={button}
        type="button"
        className={classNames(styles.group, isCurrent && styles.chosen)}
        aria-current={isCurrent}
        onClick={() => onChoose(group.key)}
      >
        <span>
          <bdi>{group.label}</bdi>
        </span>
        <bdi className={styles.count}>{group.count}</bdi>
      </button>
    </li>
  )
})
