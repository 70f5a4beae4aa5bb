import { userLimits } from '@quayside/contract/users/rules'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { Button, IconButton } from '../../ui/actions/button.tsx'
import field from '../../ui/forms/field.module.css'
import styles from './users.module.css'

/** A value of an attribute; one with several values has several lines. */
export interface AttributeLine {
  key: number
  name: string
  value: string
}

export function linesOf(attributes: Readonly<Record<string, readonly string[]>>): AttributeLine[] {
  return Object.entries(attributes)
    .flatMap(([name, values]) => values.map((value) => ({ name, value })))
    .map((line, key) => ({ ...line, key }))
}

/** The attributes of the lines; lines without a name or a value say nothing. */
export function attributesOf(lines: readonly AttributeLine[]): Record<string, string[]> {
  const said = lines.map(({ name, value }) => ({ name: name.trim(), value })).filter(({ name, value }) => name && value)
  return Object.fromEntries(
    [...Map.groupBy(said, ({ name }) => name)].map(([name, all]) => [name, all.map(({ value }) => value)]),
  )
}

interface Props {
  lines: readonly AttributeLine[]
  onChange: (lines: AttributeLine[]) => void
}

/** Names and values to type, one pair in a line. */
export function AttributeLines({ lines, onChange }: Props) {
  const put = (key: number, part: Partial<AttributeLine>) =>
    onChange(lines.map((line) => (line.key === key ? { ...line, ...part } : line)))
  const next = Math.max(-1, ...lines.map(({ key }) => key)) + 1
  return (
    <>
      {lines.map(({ key, name, value }, at) => (
        <div key={key} className={styles.attribute}>
          <input
            className={field.input}
            aria-label={`Name of attribute ${at + 1}`}
            placeholder="Name"
            maxLength={64}
            value={name}
            onChange={(event) => put(key, { name: event.target.value })}
          />
          <input
            className={field.input}
            aria-label={`Value of attribute ${at + 1}`}
            placeholder="Value"
            dir="auto"
            maxLength={userLimits.attribute}
            value={value}
            onChange={(event) => put(key, { value: event.target.value })}
          />
          <IconButton
            icon={IconX}
            label={`Remove attribute ${at + 1}`}
            onClick={() => onChange(lines.filter((line) => line.key !== key))}
          />
        </div>
      ))}
      <span>
        <Button small icon={IconPlus} onClick={() => onChange([...lines, { key: next, name: '', value: '' }])}>
          Add attribute
        </Button>
      </span>
    </>
  )
}
