import type { Leftover, LeftoverChoice } from '@quayside/contract/clusters/leftovers'
import type { UseQueryResult } from '@tanstack/react-query'
import { useId } from 'react'
import { classNames } from '../../../ui/marks/class-names.ts'
import { ErrorPanel } from '../../../ui/states/error-panel.tsx'
import { Loading } from '../../../ui/states/loading.tsx'
import { texts } from '../texts.ts'
import styles from './leftover-list.module.css'

const t = texts.remove

/** The person's choices by leftover id; a leftover without an entry keeps its default. */
export type Choices = Readonly<Record<string, LeftoverChoice['choice']>>

function choiceOf(left: Leftover, choices: Choices): LeftoverChoice['choice'] {
  return choices[left.id] ?? left.byDefault
}

/** Only what differs from the defaults has to be said. */
export function choicesToSend(found: readonly Leftover[] | undefined, choices: Choices): LeftoverChoice[] {
  return (found ?? [])
    .map((left) => ({ id: left.id, choice: choiceOf(left, choices), usual: left.byDefault }))
    .filter(({ choice, usual }) => choice !== usual)
    .map(({ id, choice }) => ({ id, choice }))
}

interface Props {
  found: UseQueryResult<Leftover[]>
  choices: Choices
  disabled?: boolean
  /** Below the title of a dialog, or below the heading of a step. */
  heading?: 'h3' | 'h4'
  onChange: (choices: Choices) => void
}

/** The objects that a deletion would leave behind, each to be kept or removed. */
export function LeftoverList({ found, choices, disabled = false, heading: Heading = 'h4', onChange }: Props) {
  const heading = useId()
  return (
    <section aria-labelledby={heading} className={styles.part}>
      <Heading id={heading}>{t.leftovers}</Heading>
      {found.isPending && <Loading card />}
      {found.error !== null && (
        <ErrorPanel error={found.error} name={t.leftovers} onRetry={() => void found.refetch()} />
      )}
      {found.data?.length === 0 && (
        <p className={styles.text}>
          <bdi>{t.nothingLeft}</bdi>
        </p>
      )}
      {found.data !== undefined && found.data.length > 0 && (
        <>
          <p className={styles.text}>
            <bdi>{t.leftoversText}</bdi>
          </p>
          <ul className={styles.list}>
            {found.data.map((left) => (
              <LeftoverRow
                key={left.id}
                left={left}
                choice={choiceOf(left, choices)}
                disabled={disabled}
                onChoose={(choice) => onChange({ ...choices, [left.id]: choice })}
              />
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

interface RowProps {
  left: Leftover
  choice: LeftoverChoice['choice']
  disabled: boolean
  onChoose: (choice: LeftoverChoice['choice']) => void
}

const options = [
  ['keep', t.keep],
  ['remove', t.remove],
] as const

function LeftoverRow({ left, choice, disabled, onChoose }: RowProps) {
  const { kind, name, detail, why, refusal } = left
  return (
    <li className={styles.row}>
      <div className={styles.what}>
        <span className={styles.kind}>
          {kind}
          {detail !== null && (
            <>
              {' · '}
              <bdi>{detail}</bdi>
            </>
          )}
        </span>
        <bdi className={classNames('mono', styles.name)}>{name}</bdi>
        <span className={styles.why}>
          <bdi>{refusal ?? why}</bdi>
        </span>
      </div>
      <fieldset className={styles.choice} disabled={disabled}>
        <legend className="unseen">
          {kind} {name}
        </legend>
        {options.map(([value, word]) => (
          <label key={value} className={classNames(choice === value && styles[value])}>
            <input
              type="radio"
              name={left.id}
              value={value}
              checked={choice === value}
              disabled={value === 'remove' && refusal !== null}
              onChange={() => onChoose(value)}
            />
            {word}
          </label>
        ))}
      </fieldset>
    </li>
  )
}
