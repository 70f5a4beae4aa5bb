import type { MergeConflict, ValuesMerge } from '@quayside/contract/deployments/upgrade'
import { type ConflictChoice, resolveConflict } from '@quayside/values/merge/resolve-conflict'
import { maskValue } from '@quayside/values/secrets/masking'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import { useId } from 'react'
import { stringify } from 'yaml'
import { Radio } from '../../../../ui/forms/checkbox.tsx'
import { classNames } from '../../../../ui/marks/class-names.ts'
import { texts } from '../../texts.ts'
import { ForAll } from './for-all.tsx'
import styles from './merge.module.css'
import { type Choices, decisionOf, keyOf, openConflicts } from './merge-choice.ts'
import { PlacesNote } from './places-note.tsx'

interface Props {
  merge: ValuesMerge
  choices: Choices
  yaml: string
  onChoose: (choices: Choices, yaml: string) => void
  /** The origin of the other value: the new chart, or a revision that was deployed in the meantime. */
  with?: 'chart' | 'meanwhile'
}

const t = texts.merge
const m = texts.meanwhile.merged
type Side = keyof typeof t.sides & keyof typeof m.sides
const words = {
  chart: {
    heading: t.heading,
    text: t.text,
    sides: t.sides,
    side: (side: Side): string => t.sides[side],
    reason: (conflict: MergeConflict): string => t.reasons[conflict.reason],
  },
  meanwhile: {
    heading: m.heading,
    text: m.text,
    sides: m.sides,
    side: (side: Side): string => m.sides[side],
    reason: (): string => m.reason,
  },
}

/** The conflicts that only the person can decide, one card each, with the values to choose from. */
export function MergeConflicts({ merge, choices, yaml, onChoose, with: other = 'chart' }: Props) {
  const heading = useId()
  const open = openConflicts(merge, choices, yaml)
  if (merge.conflicts.length === 0) return null
  const choose = (conflict: MergeConflict, choice: ConflictChoice) =>
    onChoose({ ...choices, [keyOf(conflict)]: choice }, resolveConflict(yaml, conflict, choice))
  return (
    <section aria-labelledby={heading} className={styles.conflicts}>
      <div className={styles.head}>
        <div>
          <h3 id={heading}>{words[other].heading}</h3>
          <p>
            <bdi>{words[other].text}</bdi>
          </p>
        </div>
        <p role="status" className={open > 0 ? styles.open : styles.done}>
          {open === 0 && <IconCircleCheck size={16} stroke={1.75} aria-hidden />}
          <bdi>{open === 0 ? t.done : open === 1 ? t.oneOpen : t.open.replace('{n}', String(open))}</bdi>
        </p>
      </div>
      <ForAll merge={merge} yaml={yaml} sides={words[other].sides} onChoose={onChoose} />
      {merge.conflicts.map((conflict) => (
        <Card
          key={keyOf(conflict)}
          conflict={conflict}
          said={words[other]}
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
  said,
  secrets,
  decision,
  onChoose,
}: {
  conflict: MergeConflict
  said: (typeof words)['chart' | 'meanwhile']
  secrets: readonly (readonly string[])[]
  decision: ConflictChoice | 'other' | undefined
  onChoose: (choice: ConflictChoice) => void
}) {
  const group = useId()
  const sides = (['before', 'yours', 'theirs'] as const).filter(
    // Without an earlier default there is no 'before' side to choose.
    (side) => side !== 'before' || conflict.before !== undefined,
  )
  return (
    <fieldset className={classNames(styles.card, decision === undefined && styles.undecided)}>
      <legend>
        <bdi className="mono">{conflict.path.join('.')}</bdi>
      </legend>
      <p className={styles.reason}>
        <bdi>{said.reason(conflict)}</bdi> {decision === 'other' && <strong>{t.other}</strong>}
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
              <span>{side === 'theirs' && conflict.theirs === undefined ? said.side('gone') : said.side(side)}</span>
              <PlacesNote conflict={conflict} side={side} />
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
