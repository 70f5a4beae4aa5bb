import type { SourceRun } from '@quayside/contract/catalog/sources'
import parts from '../../../ui/layout/form-parts.module.css'
import { ProgressBar } from '../../../ui/states/progress-bar.tsx'
import { StateBadge } from '../../../ui/states/state-badge.tsx'
import { RelativeTime } from '../../../ui/text/relative-time.tsx'
import { isUnderWay, stateWords } from './source-words.ts'
import styles from './sources.module.css'

/** How a run is going, or went: in a cell of a list. */
export function RunState({ run }: { run: SourceRun | null }) {
  if (run === null) return <span>Never</span>
  return (
    <span className={styles.run}>
      <StateBadge {...stateWords[run.state]} />
      {isUnderWay(run) ? <bdi className={styles.quiet}>{progressOf(run)}</bdi> : <RelativeTime at={run.endedAt} />}
    </span>
  )
}

/** A run that is under way, with how far it is and what it fetches. */
export function RunProgress({ run }: { run: SourceRun }) {
  const percent = run.total === 0 ? undefined : Math.round((100 * run.done) / run.total)
  return (
    <div className={parts.stack} role="status">
      <ProgressBar label="Synchronisation" percent={percent} />
      <p className={styles.sentence}>
        <bdi>{progressOf(run)}</bdi>
      </p>
    </div>
  )
}

function progressOf({ total, done, current, startedAt }: SourceRun): string {
  if (startedAt === null) return 'It starts in a moment.'
  if (total === 0) return 'Reading the source…'
  return `${done} of ${total} processed${current === null ? '' : `, fetching ${current}`}`
}
