import type { FieldConfiguration } from '@quayside/contract/deployment'
import { directivesOf } from '@quayside/contract/values/directives'
import { useId } from 'react'
import { Tooltip } from '../../../ui/tooltip.tsx'
import { ArrayInput } from './array-input.tsx'
import { ClusterChoice } from './cluster-choice.tsx'
import { type Path, plainOf, problemOf } from './field-tree.ts'
import { NumberInput, PasswordInput, SelectInput, TextInput, YamlInput } from './scalar-inputs.tsx'
import styles from './values-form.module.css'
import type { FormPlace } from './values-form.tsx'

export interface FieldProps {
  field: FieldConfiguration
  path: Path
  /** The defaults by dotted path, as JSON. */
  before: ReadonlyMap<string, string>
  place: FormPlace
  /** Shows the whole path, when the field stands outside of its group. */
  showPath?: boolean
  onWrite: (path: Path, value: unknown) => void
}

/** One field with its label, help, mark of change and error; objects are fieldsets of fields. */
export function FieldInput(props: FieldProps) {
  const { field, path, before, showPath = false } = props
  const id = useId()
  const said = directivesOf(field.comments)
  if (said.hidden) return null
  if (field.type === 'object') return <ObjectFields {...props} />
  const value = plainOf(field)
  const key = path.join('.')
  const wasDefault = before.get(key)
  const isChanged = wasDefault !== JSON.stringify(value)
  const error = problemOf(field, value)
  const isWide = field.type === 'array' || field.type === 'yaml'
  return (
    <div className={isWide ? styles.wide : styles.field}>
      <span className={styles.label}>
        <label htmlFor={id} id={`${id}-label`}>
          <bdi>{showPath ? key : (field.label ?? field.name)}</bdi>
        </label>
        {field.required === true && (
          <span className={styles.required} title="Required">
            *
          </span>
        )}
        {isChanged && (
          <span className={styles.changed}>
            <span className="unseen">changed</span>
          </span>
        )}
        {said.tooltip !== undefined && (
          <Tooltip text={said.tooltip}>
            <span className={styles.info} role="img" aria-label={said.tooltip}>
              i
            </span>
          </Tooltip>
        )}
      </span>
      <Control {...props} id={id} masked={said.masked} />
      {error !== undefined ? (
        <span className={styles.error} role="alert">
          {error}
        </span>
      ) : (
        <Help
          text={said.text}
          fallback={
            isChanged && wasDefault !== undefined && !said.masked && field.type !== 'password'
              ? `default: ${shortened(wasDefault)}`
              : undefined
          }
        />
      )}
    </div>
  )
}

function Help({ text, fallback }: { text: readonly string[]; fallback: string | undefined }) {
  const help = [text.join(' '), fallback].filter((part) => part !== undefined && part !== '').join(' · ')
  if (help === '') return null
  return (
    <span className={styles.help} title={help}>
      <bdi>{help}</bdi>
    </span>
  )
}

const maxDefault = 60

function shortened(json: string): string {
  const text = json === '""' ? 'empty' : json.replace(/^"(.*)"$/, '$1')
  return text.length > maxDefault ? `${text.slice(0, maxDefault)}…` : text
}

function ObjectFields(props: FieldProps) {
  const { field, path } = props
  return (
    <fieldset className={styles.object}>
      <legend>
        <bdi>{field.label ?? field.name}</bdi>
      </legend>
      {field.objects.map((child) => (
        <FieldInput key={child.name} {...props} field={child} path={[...path, child.name ?? '']} />
      ))}
    </fieldset>
  )
}

/** The control for each field type of section 3. */
function Control({ field, path, place, onWrite, id, masked }: FieldProps & { id: string; masked: boolean }) {
  const write = (value: unknown) => onWrite(path, value)
  const text = field.value === null || field.value === undefined ? '' : String(field.value)
  if (masked) return <PasswordInput id={id} value={text} onCommit={write} />
  switch (field.type) {
    case 'boolean':
      return (
        <span className={styles.switch}>
          <input
            id={id}
            type="checkbox"
            role="switch"
            aria-checked={field.value === true}
            checked={field.value === true}
            onChange={(event) => write(event.target.checked)}
          />
          <span>{field.value === true ? 'On' : 'Off'}</span>
        </span>
      )
    case 'number':
      return <NumberInput id={id} value={field.value} onCommit={write} />
    case 'password':
      return <PasswordInput id={id} value={text} onCommit={write} />
    case 'select':
    case 'radiobutton':
      return <SelectInput id={id} value={field.value} options={field.options ?? []} onCommit={write} />
    case 'storageClass':
    case 'registrySecret':
      return <ClusterChoice id={id} kind={field.type} value={text} place={place} onCommit={write} />
    case 'array':
      return <ArrayInput labelledBy={`${id}-label`} field={field} onCommit={write} />
    case 'yaml':
      return <YamlInput id={id} value={text} onCommit={write} />
    case 'date':
      return <TextInput id={id} type="date" value={text} onCommit={write} />
    default:
      return <TextInput id={id} value={text} onCommit={write} />
  }
}
