import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconCircleDashed from '@tabler/icons-react/dist/esm/icons/IconCircleDashed.mjs'
import IconCircleX from '@tabler/icons-react/dist/esm/icons/IconCircleX.mjs'
import { classNames } from '../../../ui/marks/class-names.ts'
import { Spinner } from '../../../ui/states/spinner.tsx'
import type { TaskState } from './progress.ts'
import styles from './progress-step.module.css'

interface Props {
  state: TaskState
  words: { running: string; done: string; failed: string }
  /** How long it took, once it has ended. */
  took: string | undefined
  chosen: boolean
  onClick: () => void
}

/** A task of an action: its state in a word and a shape; a click shows its log and its summary. */
export function TaskButton({ state, words, took, chosen, onClick }: Props) {
  const word = state === 'waiting' || state === 'running' ? words.running : words[state]
  return (
    <button
      type="button"
      className={classNames(styles.task, chosen && styles.chosen, styles[state])}
      aria-pressed={chosen}
      onClick={onClick}
      disabled={state === 'waiting'}
    >
      {state === 'waiting' && <IconCircleDashed size={18} stroke={1.75} aria-hidden />}
      {state === 'running' && <Spinner size={18} />}
      {state === 'done' && <IconCircleCheck size={18} stroke={1.75} aria-hidden />}
      {state === 'failed' && <IconCircleX size={18} stroke={1.75} aria-hidden />}
      <span className={styles.word}>{word}</span>
      {/* Beside the word and not of its name: readers hear 'Deployment Finished', the log tells the times. */}
      {took !== undefined && <span className={styles.took} data-took={took} />}
    </button>
  )
}
