import { texts } from '../../texts.ts'
import type { Choices } from '../../values/merge/merge-choice.ts'
import { MergeConflicts } from '../../values/merge/merge-conflicts.tsx'
import styles from '../install/linked-values.module.css'
import type { Merged } from './use-upgrade-values.ts'

interface Props {
  merged: Merged
  choices: Choices
  yaml: string
  onChoose: (choices: Choices, yaml: string) => void
}

/** A note that the edits now apply to a later revision, with the conflicts to decide. */
export function MergedNote({ merged: { revision, merge }, ...rest }: Props) {
  return (
    <>
      <p role="status" className={styles.note}>
        <bdi>{texts.meanwhile.done.replace('{n}', String(revision))}</bdi>
      </p>
      <MergeConflicts merge={merge} with="meanwhile" {...rest} />
    </>
  )
}
