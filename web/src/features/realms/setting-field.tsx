import { type ReactNode, useId } from 'react'
import { Checkbox } from '../../ui/forms/checkbox.tsx'
import field from '../../ui/forms/field.module.css'
import { Select } from '../../ui/forms/select.tsx'
import { classNames } from '../../ui/marks/class-names.ts'
import { type AnySetting, durationWords, safeText } from './setting.ts'
import styles from './settings.module.css'

interface Props {
  setting: AnySetting
  value: boolean | string
  disabled: boolean
  error: string | undefined
  onChange: (value: boolean | string) => void
}

/** A setting with its control, what it means, and its recommended value. */
export function SettingField({ setting, value, disabled, error, onChange }: Props) {
  const id = useId()
  const described = { 'aria-describedby': `${id}-means ${id}-error`, 'aria-invalid': error !== undefined }
  return (
    <div className={classNames(styles.field, setting.long === true && styles.wide)}>
      {setting.kind === 'switch' ? (
        <Checkbox {...described} checked={value === true} disabled={disabled} onChange={onChange}>
          <span className={field.label}>{setting.label}</span>
        </Checkbox>
      ) : (
        <Labelled id={id} setting={setting} value={String(value)}>
          {setting.kind === 'choice' ? (
            <Select
              {...described}
              id={id}
              value={String(value)}
              disabled={disabled}
              onChange={(event) => onChange(event.target.value)}
            >
              {setting.options?.map((option) => (
                <option key={String(option.value)} value={String(option.value)}>
                  {option.label}
                </option>
              ))}
            </Select>
          ) : (
            <input
              {...described}
              id={id}
              dir="ltr"
              className={classNames(field.input, setting.kind === 'text' ? 'mono' : styles.number)}
              inputMode={setting.kind === 'number' ? 'numeric' : undefined}
              autoComplete="off"
              spellCheck={false}
              maxLength={setting.kind === 'number' ? 10 : 2000}
              value={String(value)}
              disabled={disabled}
              onChange={(event) => onChange(event.target.value)}
            />
          )}
        </Labelled>
      )}
      <span id={`${id}-means`} className={field.help}>
        <bdi>{setting.means}</bdi> <SafeDefault setting={setting} />
      </span>
      <span id={`${id}-error`} className={field.error} role="alert">
        <bdi>{error}</bdi>
      </span>
    </div>
  )
}

function Labelled({
  id,
  setting,
  value,
  children,
}: {
  id: string
  setting: AnySetting
  value: string
  children: ReactNode
}) {
  const { label, unit } = setting
  return (
    <>
      <label htmlFor={id} className={field.label}>
        <bdi>{unit === undefined ? label : `${label} (${unit})`}</bdi>
      </label>
      {unit === 'seconds' ? (
        <span className={styles.time}>
          {children}
          <bdi className={field.help}>{/^\d{1,9}$/.test(value.trim()) && durationWords(Number(value))}</bdi>
        </span>
      ) : (
        children
      )}
    </>
  )
}

function SafeDefault({ setting }: { setting: AnySetting }) {
  const text = safeText(setting)
  if (text === undefined) return null
  return (
    <bdi className={styles.safe}>
      Recommended: {setting.kind === 'text' && text !== 'empty' ? <code dir="ltr">{text}</code> : <bdi>{text}</bdi>}
    </bdi>
  )
}
