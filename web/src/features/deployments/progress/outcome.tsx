import type { ResultLine } from '@quayside/contract/deployments/endpoints'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import type { ReactNode } from 'react'
import { classNames } from '../../../ui/marks/class-names.ts'
import styles from './outcome.module.css'

interface Props {
  summary: string
  lines: readonly ResultLine[]
  failed: boolean
  /** Advice after a failure, one or two sentences. */
  advice?: ReactNode
}

/** How a task ended: its summary, the lines of its result, and what can be done when it failed. */
export function Outcome({ summary, lines, failed, advice }: Props) {
  const Mark = failed ? IconAlertTriangle : IconCircleCheck
  const said = lines.filter(({ message }) => message !== summary)
  return (
    <div role={failed ? 'alert' : 'status'} className={classNames(styles.outcome, failed && styles.failed)}>
      <Mark size={18} stroke={1.75} aria-hidden />
      <div className={styles.words}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
        <div className={styles.said} tabIndex={0}>
          <strong>
            <bdi>{summary}</bdi>
          </strong>
          {said.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: result lines have no identity but their order.
            <p key={index}>
              <bdi>{line.message}</bdi>
            </p>
          ))}
        </div>
        {failed && advice != null && (
          <p className={styles.advice}>
            <bdi>{advice}</bdi>
          </p>
        )}
      </div>
    </div>
  )
}
