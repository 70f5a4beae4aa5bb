import type { FieldConfiguration } from '@quayside/values/form/field-configuration'
import { initialOfName, isNameForbidden } from '@quayside/values/form/values-model'
import { memo, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { Button } from '../../../../ui/actions/button.tsx'
import { SearchField } from '../../../../ui/forms/search-field.tsx'
import { classNames } from '../../../../ui/marks/class-names.ts'
import { EmptyState } from '../../../../ui/states/empty-state.tsx'
import { texts } from '../../texts.ts'
import { createDrafts, DraftsContext } from './drafts/drafts.ts'
import { FieldInput, type FieldProps } from './fields/field-input.tsx'
import { type FieldGroup, findFields, firstGroup, groupsOf, leavesOf } from './fields/field-tree.ts'
import { type Names, NamesContext } from './fields/map-input.tsx'
import { useSteadyChoice } from './fields/use-steady-choice.ts'
import type { Values } from './use-values.ts'
import styles from './values-form.module.css'
import { emptyViewState } from './view-state.ts'

export interface FormPlace {
  clusterId: string
  spaceId: string
}

interface Props {
  values: Pick<Values, 'model' | 'edit'> & Partial<Pick<Values, 'drafts' | 'seen'>>
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
  const own = useRef({ drafts: createDrafts(), seen: emptyViewState() })
  const { drafts, seen } = { ...own.current, ...values }
  const groups = useMemo(() => groupsOf(fields, seen.layout), [fields, seen])
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState(seen.group)
  // The first group is chosen once, so that an edit that changes the required fields does not switch groups.
  const group = groups.find(({ key }) => key === chosen) ?? firstGroup(groups)
  seen.group ??= group?.key
  if (chosen === undefined && group !== undefined) setChosen(group.key)
  const steady = useSteadyChoice(fields)
  const shown = search.trim() === '' ? (group?.fields ?? []) : findFields(fields, search)
  const [limit, setLimit] = useState(seen.limit ?? atOnce)
  const choose = useCallback(
    (key: string) => {
      Object.assign(seen, { group: key, top: 0, limit: atOnce })
      setChosen(key)
      setSearch('')
      setLimit(atOnce)
    },
    [seen],
  )
  useLayoutEffect(() => {
    if (steady.ref.current !== null && seen.top > 0) steady.ref.current.scrollTop = seen.top
  }, [seen, steady.ref])
  const names = useNames(values.model)
  const find = (text: string) => {
    setSearch(text)
    setLimit(atOnce)
  }

  if (groups.length === 0)
    return <EmptyState title="Nothing to set" text="This version has no values that a form can show." />
  return (
    <DraftsContext value={drafts}>
      <NamesContext value={names}>
        <div className={styles.form}>
          <GroupList groups={groups} current={group?.key} search={search} onSearch={find} onChoose={choose} />
          <fieldset
            className={styles.fields}
            onScroll={({ currentTarget }) => {
              if (search.trim() === '') seen.top = currentTarget.scrollTop
            }}
            {...steady}
          >
            <legend className="unseen">{search.trim() === '' ? group?.label : 'Found settings'}</legend>
            <ShownFields
              fields={shown.slice(0, limit)}
              before={before}
              place={place}
              showPath={search.trim() !== ''}
              onEdit={values.edit}
            />
            {shown.length > limit && (
              <Button
                className={styles.more}
                onClick={() => {
                  if (search.trim() === '') seen.limit = limit + atOnce
                  setLimit(limit + atOnce)
                }}
              >
                {texts.form.more(Math.min(atOnce, shown.length - limit), shown.length - limit)}
              </Button>
            )}
          </fieldset>
        </div>
      </NamesContext>
    </DraftsContext>
  )
}

interface GroupListProps {
  groups: readonly FieldGroup[]
  current: string | undefined
  search: string
  onSearch: (text: string) => void
  onChoose: (key: string) => void
}

/** The groups of the form, below the search over all of them. */
function GroupList({ groups, current, search, onSearch, onChoose }: GroupListProps) {
  return (
    <div className={styles.side}>
      <div className={styles.find}>
        <SearchField label="Find a setting" value={search} onChange={onSearch} />
      </div>
      <ul className={styles.groups}>
        {groups.map((one) => (
          <GroupButton
            key={one.key}
            group={one}
            isCurrent={search.trim() === '' && one.key === current}
            onChoose={onChoose}
          />
        ))}
      </ul>
    </div>
  )
}

interface ShownProps extends Pick<FieldProps, 'before' | 'place' | 'onEdit'> {
  fields: FieldGroup['fields']
  showPath: boolean
}

function ShownFields({ fields, before, place, showPath, onEdit }: ShownProps) {
  return (
    <>
      {fields.length === 0 && (
        <p className={styles.none}>
          <bdi>No Match Found!</bdi>
        </p>
      )}
      {fields.map(({ field, path, masked }) => (
        <FieldInput
          key={path.join('.')}
          field={field}
          path={path}
          before={before}
          place={place}
          showPath={showPath}
          masked={masked}
          onEdit={onEdit}
        />
      ))}
    </>
  )
}

/** Asks the model that is there when somebody types, and stays the same over its changes. */
function useNames(model: Values['model']) {
  const latest = useRef(model)
  latest.current = model
  return useMemo<Names>(
    () => ({
      isForbidden: (path, name) => isNameForbidden(latest.current, path, name),
      initial: (path, name) => initialOfName(latest.current, path, name),
    }),
    [],
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
