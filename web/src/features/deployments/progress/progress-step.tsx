import { type ReactNode, useState } from 'react'
import type { GoneApp } from '../../../api/deployments/gone-app.ts'
import { ProgressBar } from '../../../ui/states/progress-bar.tsx'
import { type ProgressAction, progressWords, texts } from '../texts.ts'
import { spanWords } from '../wizard/elapsed.ts'
import type { WizardCard } from '../wizard/wizard-frame.tsx'
import { GoneAdvice } from './gone-app.tsx'
import { Outcome } from './outcome.tsx'
import { hasSucceeded, type Progress } from './progress.ts'
import { ProgressLog } from './progress-log.tsx'
import styles from './progress-step.module.css'
import { TaskButton } from './task-button.tsx'
import { WaitingList } from './waiting-list.tsx'

const t = texts.progress

/** The header of the progress step, which is the wizard's title while it is shown. */
export function progressTitle(progress: Progress): string {
  const { header } = progressWords[progress.action]
  if (!progress.ended) return header.running
  return hasSucceeded(progress) ? header.done : header.failed
}

interface Props {
  progress: Progress
  card: WizardCard
  /** The deleted app of a failed action; null when the app is still there, undefined while that is unknown. */
  gone: GoneApp | null | undefined
  /** Tells whether it can be tried again from here. */
  canRetry: boolean
  /** Stands below the outcome. */
  below?: ReactNode
}

/** The running of an action: its tasks, what it waits for, its log and how it ended. */
export function ProgressStep({ progress, card, gone, canRetry, below }: Props) {
  const adviceFor = (task: 'iam' | ProgressAction) => (canRetry ? t.advice[task] : t.adviceOnly[task])
  const [task, setTask] = useState<'iam' | 'deployment'>()
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
            <TaskButton
              state={progress.iam}
              words={t.iam}
              took={between(progress.startedAt, progress.iamEndedAt)}
              chosen={shown === 'iam'}
              onClick={() => setTask('iam')}
            />
          )}
          <TaskButton
            state={progress.deployment}
            words={progressWords[progress.action].task}
            took={between(progress.iamEndedAt ?? progress.startedAt, progress.endedAt)}
            chosen={shown === 'deployment'}
            onClick={() => setTask('deployment')}
          />
          <p className={styles.card}>
            <bdi>{card.category}</bdi> ·{' '}
            <bdi>{card.displayName + (card.manufacturerName === '' ? '' : ` ${t.by}${card.manufacturerName}`)}</bdi>
          </p>
          {progress.waiting !== undefined && (
            <WaitingList waiting={progress.waiting} isRemoval={progress.action === 'Delete'} />
          )}
        </div>
        <div className={styles.told}>
          <ProgressLog
            key={shown}
            title={t.progress}
            lines={shown === 'iam' ? progress.iamLog : progress.deploymentLog}
          />
          {shown === 'iam' ? (
            <IamOutcome progress={progress} advice={adviceOf(adviceFor('iam'), gone)} />
          ) : (
            <DeploymentOutcome progress={progress} advice={adviceOf(adviceFor(progress.action), gone)} />
          )}
          {below}
        </div>
      </div>
    </section>
  )
}

interface Told {
  progress: Progress
  advice: ReactNode
}

/** No advice is better than a false one: what can be done depends on whether the app is still there. */
function adviceOf(usual: string, gone: Props['gone']): ReactNode {
  if (gone === undefined) return undefined
  return gone === null ? usual : <GoneAdvice gone={gone} />
}

function IamOutcome({ progress: { iamResult }, advice }: Told) {
  if (iamResult === undefined) return null
  return <Outcome summary={iamResult.msg} lines={[]} failed={iamResult.type !== 'Success'} advice={advice} />
}

function DeploymentOutcome({ progress, advice }: Told) {
  const { result, ended } = progress
  // A timeout that is still waited out is a line of the log, not an end.
  if (result === undefined || !ended) return null
  return <Outcome summary={result.summary} lines={result.lines} failed={!hasSucceeded(progress)} advice={advice} />
}

function between(from: string | undefined, to: string | undefined): string | undefined {
  return from === undefined || to === undefined ? undefined : spanWords(Date.parse(to) - Date.parse(from))
}
