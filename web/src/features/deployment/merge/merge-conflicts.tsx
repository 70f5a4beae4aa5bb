import type { MergeConflict, ValuesMerge } from '@quayside/contract/upgrade'
import { maskValue } from '@quayside/contract/values/masking'
import { type ConflictChoice, resolveConflict } from '@quayside/contract/values/resolve-conflict'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import { useId } from 'react'
import { stringify } from 'yaml'
import { Radio } from '../../../ui/checkbox.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { texts } from '../texts.ts'
import styles from './merge.module.css'
import { type Choices, decisionOf, keyOf, openConflicts } from './merge-choice.ts'

interface Props {
  merge: ValuesMerge
  choices: Choices
  yaml: string
  onChoose: (choices: Choices, yaml: string) => void
}

const t = texts.merge

/** What neither the person nor the chart can decide alone: a card each, with the values to choose from. */
export function MergeConflicts({ merge, choices, yaml, onChoose }: Props) {
  const heading = useId()
  const open = openConflicts(merge, choices, yaml)
  if (merge.conflicts.length === 0) return null
  const choose = (conflict: MergeConflict, choice: ConflictChoice) =>
    onChoose({ ...choices, [keyOf(conflict)]: choice }, resolveConflict(yaml, conflict, choice))
  return (
    <section aria-labelledby={heading} className={styles.conflicts}>
      <div className={styles.head}>
        <div>
          <h3 id={heading}>{t.heading}</h3>
          <p>
            <bdi>{t.text}</bdi>
          </p>
        </div>
        <p role="status" className={open > 0 ? styles.open : styles.done}>
          {open === 0 && <IconCircleCheck size={16} stroke={1.75} aria-hidden />}
          <bdi>{open === 0 ? t.done : open === 1 ? t.oneOpen : t.open.replace('{n}', String(open))}</bdi>
        </p>
      </div>
      {merge.conflicts.map((conflict) => (
        <Card
          key={keyOf(conflict)}
          conflict={conflict}
          secrets={merge.secrets ?? []}
          decision={decisionOf(conflict, choices, yaml)}
          onChoose={(choice) => choose(conflict, choice)}
        />
      ))}
    </section>
  )
}

function Card({
  conflict,
  secrets,
  decision,
  onChoose,
}: {
  conflict: MergeConflict
  secrets: readonly (readonly string[])[]
  decision: ConflictChoice | 'other' | undefined
  onChoose: (choice: ConflictChoice) => void
}) {
  const group = useId()
  const sides = (['before', 'yours', 'theirs'] as const).filter(
    // What was no default before cannot be gone back to.
    (side) => side !== 'before' || conflict.before !== undefined,
  )
  return (
    <fieldset className={classNames(styles.card, decision === undefined && styles.undecided)}>
      <legend>
        <bdi className="mono">{conflict.path.join('.')}</bdi>
      </legend>
      <p className={styles.reason}>
        <bdi>{t.reasons[conflict.reason]}</bdi> {decision === 'other' && <strong>{t.other}</strong>}
      </p>
      <div className={styles.sides}>
        {sides.map((side) => (
          <Radio
            key={side}
            name={group}
            className={classNames(styles.side, decision === side && styles.chosen)}
            checked={decision === side}
            onChange={() => onChoose(side)}
          >
            <span className={styles.words}>
              <span>{side === 'theirs' && conflict.theirs === undefined ? t.sides.gone : t.sides[side]}</span>
              {conflict[side] !== undefined && (
                <code dir="ltr">{shown(maskValue(conflict[side], secrets, conflict.path))}</code>
              )}
            </span>
          </Radio>
        ))}
      </div>
    </fieldset>
  )
}

const mostShown = 400

function shown(value: unknown): string {
  const text = stringify(value, { lineWidth: 0 }).trimEnd()
  return text.length > mostShown ? `${text.slice(0, mostShown)} …` : text
}
