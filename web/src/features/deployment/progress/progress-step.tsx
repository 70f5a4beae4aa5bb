import type { Waiting } from '@quayside/contract/live'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconCircleDashed from '@tabler/icons-react/dist/esm/icons/IconCircleDashed.mjs'
import IconCircleX from '@tabler/icons-react/dist/esm/icons/IconCircleX.mjs'
import { useState } from 'react'
import { classNames } from '../../../ui/class-names.ts'
import { ProgressBar } from '../../../ui/progress-bar.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { progressWords, texts } from '../texts.ts'
import type { WizardCard } from '../wizard/wizard-frame.tsx'
import { hasSucceeded, type Progress, type TaskState } from './progress.ts'
import { ProgressLog } from './progress-log.tsx'
import styles from './progress-step.module.css'

const t = texts.progress

/** The header of the progress step, which is the wizard's title while it is shown. */
export function progressTitle(progress: Progress): string {
  const { header } = progressWords[progress.action]
  if (!progress.ended) return header.running
  return hasSucceeded(progress) ? header.done : header.failed
}

/** The running of an action: its tasks, what it waits for, and its log. */
export function ProgressStep({ progress, card }: { progress: Progress; card: WizardCard }) {
  const [task, setTask] = useState<'iam' | 'deployment'>()
  const words = progressWords[progress.action].task
  const hasIam = progress.action === 'Deploy' || progress.iamLog.length > 0 || progress.iamResult !== undefined
  // Until somebody chooses, the log shown is that of the task that runs.
  const shown =
    task ?? (hasIam && progress.iam === 'running' && progress.deploymentLog.length === 0 ? 'iam' : 'deployment')
  const look = progress.ended ? (hasSucceeded(progress) ? 'success' : 'failed') : 'running'
  return (
    <section aria-label={t.step} className={styles.step}>
      <ProgressBar label={progressTitle(progress)} look={look} />
      <div className={styles.columns}>
        <div className={styles.tasks}>
          <h3 className={styles.small}>{t.currentTask}</h3>
          {hasIam && (
            <TaskButton state={progress.iam} words={t.iam} chosen={shown === 'iam'} onClick={() => setTask('iam')} />
          )}
          <TaskButton
            state={progress.deployment}
            words={words}
            chosen={shown === 'deployment'}
            onClick={() => setTask('deployment')}
          />
          <p className={styles.card}>
            <bdi>{card.category}</bdi> · <bdi>{card.displayName}</bdi> by <bdi>{card.manufacturerName}</bdi>
          </p>
          {progress.waiting !== undefined && <WaitingList waiting={progress.waiting} />}
        </div>
        <div className={styles.log}>
          <ProgressLog
            title={t.progress}
            lines={shown === 'iam' ? progress.iamLog : progress.deploymentLog}
            summary={shown === 'iam' ? progress.iamResult?.msg : progress.result?.summary}
            results={shown === 'iam' ? [] : (progress.result?.lines ?? [])}
          />
        </div>
      </div>
    </section>
  )
}

interface TaskProps {
  state: TaskState
  words: { running: string; done: string; failed: string }
  chosen: boolean
  onClick: () => void
}

function TaskButton({ state, words, chosen, onClick }: TaskProps) {
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
      <span>{word}</span>
    </button>
  )
}

function WaitingList({ waiting }: { waiting: Waiting }) {
  return (
    <>
      <h3 className={styles.small}>
        WAITING FOR <bdi>{waiting.total - waiting.ready}</bdi> OF <bdi>{waiting.total}</bdi>
      </h3>
      <ul className={styles.objects}>
        {waiting.objects.map((object) => (
          <li key={`${object.kind}/${object.name}`} title={object.lastEvent ?? undefined}>
            {object.ready ? (
              <IconCircleCheck size={16} stroke={1.75} aria-hidden className={styles.ready} />
            ) : (
              <Spinner size={14} />
            )}
            <span className={styles.object}>
              <span>
                {object.kind} <bdi>{object.name}</bdi>
              </span>
              {!object.ready && object.lastEvent !== null && <span className={styles.event}>{object.lastEvent}</span>}
            </span>
            <bdi className={styles.detail}>{object.detail}</bdi>
          </li>
        ))}
      </ul>
    </>
  )
}
