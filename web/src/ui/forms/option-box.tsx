import { Combobox, useCombobox } from '@mantine/core'
import IconSelector from '@tabler/icons-react/dist/esm/icons/IconSelector.mjs'
import { type ReactNode, useState } from 'react'
import { classNames } from '../marks/class-names.ts'
import { ErrorPanel } from '../states/error-panel.tsx'
import { Loading } from '../states/loading.tsx'
import field from './field.module.css'
import { matchesAny } from './matches-any.ts'
import styles from './option-select.module.css'
import '../theme/mantine.css'

/** From here on a list is searched and no longer read. */
export const longFrom = 11

interface SelectOption {
  value: string
  label: string
  /** Lines below the name: 'ID: …', 'PROVIDER: …'. */
  lines?: readonly string[]
  /** A description of the option, one sentence. */
  text?: string
}

export interface BoxProps {
  options: readonly SelectOption[] | undefined
  value: string | undefined
  onChange: (value: string | undefined) => void
  onBlur?: () => void
  placeholder?: string
  /** Long lists are, unless it is said. */
  searchable?: boolean
  /** The server searches: the options are those that it found, and the chosen one need not be among them. */
  remote?: { search: string; onSearch: (text: string) => void; chosen: SelectOption | undefined }
  /** Offers 'None' first. */
  none?: boolean
  noneText?: string
  disabled?: boolean
  /** A failed load; shown inside the list. */
  error?: unknown
  /** The component's name in the error panel. */
  errorName?: string
  /** The text shown when there are no options: 'No Spaces!'. */
  emptyText?: string
  invalid?: string
}

/** Where a list opens, instead of the box that shows what is chosen. */
interface Look {
  className: string
  content: ReactNode
  /** The list's width in pixels. */
  width: number
}

interface Named {
  id?: string
  look?: Look
  /** The element that names it. */
  labelId: string
  /** The same name, for the search. */
  label: string
}

/** A button that opens a list of options, with search, 'None', loading and error inside. */
export function OptionBox(props: BoxProps & Named) {
  const { id, label, labelId, look, options, value, onChange, onBlur, placeholder = 'None', disabled = false } = props
  const [typed, setTyped] = useState('')
  const search = props.remote?.search ?? typed
  const setSearch = props.remote?.onSearch ?? setTyped
  const searchable = props.searchable ?? (props.remote !== undefined || (options?.length ?? 0) >= longFrom)
  const box = useCombobox({
    onDropdownClose: () => {
      box.resetSelectedOption()
      setSearch('')
      onBlur?.()
    },
    onDropdownOpen: () => (searchable ? box.focusSearchInput() : box.selectActiveOption()),
  })
  const chosen = props.remote ? props.remote.chosen : options?.find((option) => option.value === value)
  return (
    <Combobox
      store={box}
      withinPortal={look !== undefined}
      position="bottom-start"
      {...(look && { width: look.width })}
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
          id={id}
          disabled={disabled}
          aria-labelledby={look ? labelId : `${labelId} ${labelId}-value`}
          aria-invalid={props.invalid !== undefined}
          className={look?.className ?? classNames(field.input, styles.target)}
          onClick={() => box.toggleDropdown()}
        >
          {look?.content ?? <Chosen id={`${labelId}-value`} label={chosen?.label} placeholder={placeholder} />}
        </button>
      </Combobox.Target>
      <Combobox.Dropdown>
        {searchable && (
          <Combobox.Search
            value={search}
            onChange={(event) => {
              setSearch(event.currentTarget.value)
              box.resetSelectedOption()
            }}
            placeholder="Search"
            role="combobox"
            aria-expanded
            aria-label={`Search ${label}`}
            classNames={{ input: styles.search }}
          />
        )}
        <Combobox.Options labelledBy={labelId} mah={260} style={{ overflowY: 'auto' }}>
          <Choices {...props} search={search} />
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}

function Chosen({ id, label, placeholder }: { id: string; label: string | undefined; placeholder: string }) {
  return (
    <>
      <span id={id} className={classNames(styles.chosen, label === undefined && styles.placeholder)}>
        <bdi>{label ?? placeholder}</bdi>
      </span>
      <IconSelector size={16} stroke={1.75} aria-hidden />
    </>
  )
}

function Choices({
  options,
  value,
  none,
  noneText = 'None',
  error,
  errorName,
  emptyText,
  remote,
  search,
}: BoxProps & { search: string }): ReactNode {
  if (error != null) return <ErrorPanel error={error} name={errorName} />
  if (options === undefined) return <Loading card />
  if (options.length === 0 && search === '') return <NoOption text={emptyText ?? 'No Data!'} />
  const matching = remote ? options : options.filter((option) => matchesAny(option, search))
  return (
    <>
      {none === true && search === '' && <Combobox.Option value="">{noneText}</Combobox.Option>}
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
            {option.text !== undefined && <bdi className={styles.text}>{option.text}</bdi>}
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
