import type { FieldConfiguration } from '@quayside/values/form/field-configuration'
import type { FieldEdit } from '@quayside/values/form/field-edit'
import type { NumberField } from '@quayside/values/form/field-types'
import IconArrowBackUp from '@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs'
import { Fragment, memo, useId } from 'react'
import { IconButton } from '../../../../../ui/actions/button.tsx'
import { Tooltip } from '../../../../../ui/layout/tooltip.tsx'
import { texts } from '../../../texts.ts'
import { writtenOf } from '../drafts/drafts.ts'
import { isChangedFrom } from '../is-changed.ts'
import styles from '../values-form.module.css'
import type { FormPlace } from '../values-form.tsx'
import { ArrayInput } from './array-input.tsx'
import { ConstantInput, FormChoice, RadioInput, SelectInput, SwitchInput } from './choice-inputs.tsx'
import { ClusterChoice } from './cluster-choice.tsx'
import { isMapChanged, type Path, plainOf, problemOf, saidOf, shownProblemOf } from './field-tree.ts'
import { MapInput } from './map-input.tsx'
import { NumberInput, PasswordInput, TextInput, YamlInput } from './scalar-inputs.tsx'
import { holdsSecret, isSecretField, secretFieldOf } from './secret-fields.ts'

export interface FieldProps {
  field: FieldConfiguration
  path: Path
  /** The defaults by dotted path, as JSON. */
  before: ReadonlyMap<string, string>
  place: FormPlace
  /** Shows the whole path, when the field stands outside of its group. */
  showPath?: boolean
  /** Tells whether an object or list around the field is masked, which masks the field too. */
  masked?: boolean
  onEdit: (path: Path, edit: FieldEdit) => void
}

/** Lists and maps are given this component for what is in them: fields hold lists, and lists hold fields. */
export type EntryProps = FieldProps & { label: string }

/** One field with its label, help, mark of change and error; objects are fieldsets of fields. */
export const FieldInput = memo(AnyField, (a, b) => {
  const isSamePath = a.path.length === b.path.length && a.path.every((part, at) => part === b.path[at])
  const isSamePlace = a.place.clusterId === b.place.clusterId && a.place.spaceId === b.place.spaceId
  return (
    a.field === b.field &&
    isSamePath &&
    isSamePlace &&
    a.before === b.before &&
    a.showPath === b.showPath &&
    a.masked === b.masked &&
    a.onEdit === b.onEdit
  )
})

function AnyField(props: FieldProps) {
  if (saidOf(props.field).hidden) return null
  return props.field.type === 'object' ? <ObjectFields {...props} /> : <LabelledField {...props} />
}

function LabelledField(props: FieldProps) {
  const { field, path, before, showPath = false, onEdit } = props
  const id = useId()
  const said = saidOf(field)
  const value = plainOf(field)
  const key = path.join('.')
  const wasDefault = before.get(key)
  const isSet = field.type === 'array' ? field.collections.length > 0 : value !== undefined
  // A list entry has no default of its own; only the whole list has one.
  const isInList = path.some((part) => typeof part === 'number')
  const isChanged = !isInList && (isSet || wasDefault !== undefined) && isChangedFrom(field, value, wasDefault)
  const error = shownProblemOf(field, path, before)
  const isLong = typeof value === 'string' && value.includes('\n')
  const isWide = field.type === 'array' || field.type === 'yaml' || isLong
  const masked = said.masked || props.masked === true
  const isSecret =
    masked || isSecretField(field, path) || holdsSecret(value) || (wasDefault !== undefined && holdsSecret(wasDefault))
  // A constant belongs to the alternative that was chosen and cannot be reset on its own.
  const isFixed = field.type === 'button'
  const fallback =
    isChanged && wasDefault !== undefined && !isSecret && !isFixed ? `default: ${shortened(wasDefault)}` : undefined
  return (
    <div className={isWide ? styles.wide : styles.field}>
      <span className={styles.label}>
        <label htmlFor={id} id={`${id}-label`}>
          <bdi>{showPath ? <Dotted path={path} /> : (field.label ?? field.name)}</bdi>
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
        <FormChoice field={field} path={path} onChoose={(choice) => onEdit(path, { kind: 'choose', choice })} />
        {isChanged && !isFixed && (
          <IconButton
            icon={IconArrowBackUp}
            size={14}
            className={styles.reset}
            label={`${texts.form.reset} ${field.label ?? key}`}
            onClick={() => onEdit(path, resetOf(field, wasDefault))}
          />
        )}
      </span>
      <Control {...props} id={id} masked={masked} />
      {error !== undefined ? (
        <span className={styles.error} role="alert">
          <bdi>{error}</bdi>
        </span>
      ) : (
        <Help text={said.text} fallback={fallback} />
      )}
    </div>
  )
}

/** A path, which breaks behind its dots where it is too long for a line. */
function Dotted({ path }: { path: Path }) {
  return path.map((part, at) => (
    <Fragment key={path.slice(0, at + 1).join('.')}>
      {at > 0 && (
        <>
          .<wbr />
        </>
      )}
      {typeof part === 'number' ? `#${part + 1}` : part}
    </Fragment>
  ))
}

function resetOf(field: FieldConfiguration, before: string | undefined): FieldEdit {
  if (before === undefined) return { kind: 'remove' }
  const value: unknown = JSON.parse(before)
  return field.type === 'yaml' ? { kind: 'yaml', text: String(value ?? '') } : { kind: 'value', value }
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

function ObjectFields(given: FieldProps) {
  const { field, path, onEdit } = given
  const props = { ...given, masked: given.masked === true || saidOf(field).masked }
  const isSecret = secretFieldOf(field.name, field.objects)
  const id = useId()
  return (
    <fieldset className={styles.object} aria-labelledby={id}>
      <legend>
        <bdi id={id}>{props.showPath ? <Dotted path={path} /> : (field.label ?? field.name)}</bdi>
        {field.map !== undefined && isMapChanged(field, path, given.before) && (
          <span className={styles.changed}>
            <span className="unseen">changed</span>
          </span>
        )}
      </legend>
      <FormChoice field={field} path={path} onChoose={(choice) => onEdit(path, { kind: 'choose', choice })} />
      {shownOf(field).map((child) => (
        <FieldInput
          key={child.name}
          {...props}
          showPath={false}
          masked={props.masked || isSecret(child)}
          field={child}
          path={[...path, child.name ?? '']}
        />
      ))}
      {field.map && <MapInput Entry={EntryInput} {...props} showPath={false} />}
    </fieldset>
  )
}

/** The named fields of an object; entries that the person has added to a map are left to MapInput. */
function shownOf({ objects, map }: FieldConfiguration): readonly FieldConfiguration[] {
  return map ? objects.filter(({ name }) => map.known.includes(name ?? '')) : objects
}

/** The control for each type of field. */
function Control(props: FieldProps & { id: string; masked: boolean }) {
  const { field, path, place, onEdit, id, masked } = props
  const write = (value: unknown) => onEdit(path, { kind: 'value', value })
  const writeText = (typed: string) => onEdit(path, textEdit(props, typed))
  const text = writtenOf(field)
  const named = { id, label: field.label ?? field.name ?? '', labelledBy: `${id}-label` }
  const isSecret = masked || isSecretField(field, path)
  const isOther = isSecret && (masked || field.type !== 'password')
  if (isOther && field.type !== 'array' && field.type !== 'yaml')
    return <PasswordInput id={id} path={path} value={text} onCommit={(typed) => write(typedAs(field.value, typed))} />
  switch (field.type) {
    case 'boolean':
      return <SwitchInput id={id} isOn={field.value === true} onCommit={write} />
    case 'number':
      return (
        <NumberInput
          id={id}
          path={path}
          value={field.value}
          notation={(field as NumberField).notation}
          onCommit={write}
          onUnset={unsetting(props)}
        />
      )
    case 'password':
      return <PasswordInput id={id} path={path} value={text} onCommit={writeText} />
    case 'select':
      return <SelectInput {...named} value={field.value} options={field.options ?? []} onCommit={write} />
    case 'radiobutton':
      return (
        <RadioInput
          id={id}
          labelledBy={named.labelledBy}
          value={field.value}
          options={field.options ?? []}
          onCommit={write}
        />
      )
    case 'button':
      return <ConstantInput id={id} field={field} onSet={write} onUnset={() => onEdit(path, { kind: 'remove' })} />
    case 'storageClass':
    case 'registrySecret':
      return <ClusterChoice {...named} kind={field.type} value={text} place={place} onCommit={write} />
    case 'array':
      return <ArrayInput Entry={EntryInput} {...props} labelledBy={named.labelledBy} />
    case 'yaml':
      return (
        <YamlInput
          id={id}
          path={path}
          value={text}
          masked={isSecret}
          onCommit={(typed) => onEdit(path, { kind: 'yaml', text: typed })}
        />
      )
    case 'date':
      return <TextInput id={id} path={path} type="date" value={text} onCommit={writeText} />
    default:
      return <TextInput id={id} path={path} value={text} onCommit={writeText} />
  }
}

/** How a setting is left unset that nobody needs: out of the text, or null as the chart has it. */
function unsetting({ field, path, before, onEdit }: FieldProps): (() => void) | undefined {
  const wasDefault = before.get(path.join('.'))
  const isInList = path.some((part) => typeof part === 'number')
  if (field.required === true || isInList || (wasDefault !== undefined && wasDefault !== 'null')) return undefined
  return () => onEdit(path, wasDefault === undefined ? { kind: 'remove' } : { kind: 'value', value: null })
}

/** A text that must not be empty, and need not be at all, is unset when it is emptied. */
function textEdit(props: FieldProps, typed: string): FieldEdit {
  const isLeftOut = typed === '' && unsetting(props) !== undefined && problemOf(props.field, '') !== undefined
  if (!isLeftOut) return { kind: 'value', value: typed }
  return props.before.has(props.path.join('.')) ? { kind: 'value', value: null } : { kind: 'remove' }
}

/** A secret that was a number or a yes or no stays one, as its chart expects. */
function typedAs(value: unknown, text: string): unknown {
  if (typeof value === 'number' && String(Number(text)) === text) return Number(text)
  return typeof value === 'boolean' && /^(?:true|false)$/.test(text) ? text === 'true' : text
}

/** An entry of a list or of a map: one control, or the fields of an object. */
function EntryInput({ label, ...props }: EntryProps) {
  const { field, path } = props
  const id = useId()
  const isSecret = secretFieldOf(null, field.objects)
  const choice = (
    <FormChoice
      field={{ ...field, label }}
      path={path}
      onChoose={(chosen) => props.onEdit(path, { kind: 'choose', choice: chosen })}
    />
  )
  if (field.type === 'object') {
    return (
      <fieldset className={styles.object}>
        <legend className="unseen">{label}</legend>
        {choice}
        {shownOf(field).map((child) => (
          <FieldInput
            key={child.name}
            {...props}
            masked={props.masked === true || isSecret(child)}
            field={child}
            path={[...path, child.name ?? '']}
          />
        ))}
        {field.map && <MapInput Entry={EntryInput} {...props} />}
      </fieldset>
    )
  }
  const error = shownProblemOf(field, path, props.before)
  return (
    <div className={styles.entryFields}>
      <label htmlFor={id} id={`${id}-label`} className="unseen">
        {label}
      </label>
      {choice}
      <Control {...props} id={id} masked={props.masked === true} />
      {error !== undefined && (
        <span className={styles.error} role="alert">
          <bdi>{error}</bdi>
        </span>
      )}
    </div>
  )
}
