import { Combobox, useCombobox } from '@mantine/core'
import IconSelector from '@tabler/icons-react/dist/esm/icons/IconSelector.mjs'
import { type ReactNode, useId, useState } from 'react'
import { classNames } from './class-names.ts'
import { ErrorPanel } from './error-panel.tsx'
import field from './field.module.css'
import { Loading } from './loading.tsx'
import { matchesAny } from './matches-any.ts'
import styles from './option-select.module.css'
import './theme/mantine.css'

export interface SelectOption {
  value: string
  label: string
  /** Lines below the name: 'ID: …', 'PROVIDER: …'. */
  lines?: readonly string[]
}

interface Props {
  label: string
  options: readonly SelectOption[] | undefined
  value: string | undefined
  onChange: (value: string | undefined) => void
  onBlur?: () => void
  placeholder?: string
  searchable?: boolean
  /** Offers 'None' first. */
  none?: boolean
  disabled?: boolean
  /** A failed load; shown inside the list. */
  error?: unknown
  /** The component's name in the error panel. */
  errorName?: string
  /** What stands there when there is nothing to choose: 'No Spaces!'. */
  emptyText?: string
  invalid?: string
}

/** A select whose options have second lines, with search, 'None', loading and error inside the list. */
export function OptionSelect(props: Props) {
  const { label, options, value, onChange, onBlur, placeholder = 'None', disabled = false, invalid } = props
  const id = useId()
  const [search, setSearch] = useState('')
  const box = useCombobox({
    onDropdownClose: () => {
      box.resetSelectedOption()
      setSearch('')
      onBlur?.()
    },
    onDropdownOpen: () => (props.searchable === true ? box.focusSearchInput() : box.selectActiveOption()),
  })
  const chosen = options?.find((option) => option.value === value)
  return (
    <div className={field.field}>
      <span id={id} className={field.label}>
        {label}
      </span>
      <Combobox
        store={box}
        withinPortal={false}
        disabled={disabled}
        onOptionSubmit={(next) => {
          onChange(next === '' ? undefined : next)
          box.closeDropdown()
          box.focusTarget()
        }}
      >
        <Combobox.Target targetType="button">
          <button
            type="button"
            disabled={disabled}
            aria-labelledby={`${id} ${id}-value`}
            aria-invalid={invalid !== undefined}
            className={classNames(field.input, styles.target)}
            onClick={() => box.toggleDropdown()}
          >
            <span id={`${id}-value`} className={classNames(styles.chosen, chosen === undefined && styles.placeholder)}>
              <bdi>{chosen?.label ?? placeholder}</bdi>
            </span>
            <IconSelector size={16} stroke={1.75} aria-hidden />
          </button>
        </Combobox.Target>
        <Combobox.Dropdown>
          {props.searchable === true && (
            <Combobox.Search
              value={search}
              onChange={(event) => setSearch(event.currentTarget.value)}
              placeholder="Search"
              aria-label={`Search ${label}`}
            />
          )}
          <Combobox.Options labelledBy={id} mah={260} style={{ overflowY: 'auto' }}>
            <Choices {...props} search={search} />
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
      {invalid !== undefined && (
        <span className={field.error} role="alert">
          {invalid}
        </span>
      )}
    </div>
  )
}

function Choices({ options, value, none, error, errorName, emptyText, search }: Props & { search: string }): ReactNode {
  if (error != null) return <ErrorPanel error={error} name={errorName} />
  if (options === undefined) return <Loading card />
  if (options.length === 0) return <NoOption text={emptyText ?? 'No Data!'} />
  const matching = options.filter((option) => matchesAny(option, search))
  return (
    <>
      {none === true && search === '' && <Combobox.Option value="">None</Combobox.Option>}
      {matching.length === 0 && <NoOption text="No Match Found!" />}
      {matching.map((option) => (
        <Combobox.Option key={option.value} value={option.value} active={option.value === value}>
          <span className={styles.option}>
            <bdi className={styles.name}>{option.label}</bdi>
            {option.lines?.map((line) => (
              <bdi key={line} className={styles.line}>
                {line}
              </bdi>
            ))}
          </span>
        </Combobox.Option>
      ))}
    </>
  )
}

/** A list of options must hold one, also when there is none to choose. */
function NoOption({ text }: { text: string }) {
  return (
    <Combobox.Empty role="option" aria-disabled="true" aria-selected="false">
      {text}
    </Combobox.Empty>
  )
}
