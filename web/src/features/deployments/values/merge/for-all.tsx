import type { ValuesMerge } from '@quayside/contract/deployments/upgrade'
import { resolveConflict } from '@quayside/values/merge/resolve-conflict'
import { Button } from '../../../../ui/actions/button.tsx'
import { texts } from '../../texts.ts'
import styles from './merge.module.css'
import { type Choices, keyOf } from './merge-choice.ts'

interface Props {
  merge: ValuesMerge
  yaml: string
  /** The names of the two sides. */
  sides: { yours: string; theirs: string }
  onChoose: (choices: Choices, yaml: string) => void
}

/** One side for every conflict; each can be decided in another way afterwards. */
export function ForAll({ merge: { conflicts }, yaml, sides, onChoose }: Props) {
  if (conflicts.length < 2) return null
  const choose = (side: 'yours' | 'theirs') =>
    onChoose(
      Object.fromEntries(conflicts.map((conflict) => [keyOf(conflict), side])),
      conflicts.reduce((text, conflict) => resolveConflict(text, conflict, side), yaml),
    )
  return (
    <div className={styles.forAll}>
      {(['yours', 'theirs'] as const).map((side) => (
        <Button key={side} small onClick={() => choose(side)}>
          {texts.merge.forAll.replace('{side}', sides[side])}
        </Button>
      ))}
    </div>
  )
}
