import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import { explainError, isBusy } from '../../lib/api/api-error.ts'
import { Button } from '../actions/button.tsx'
import { useExplainer } from '../actions/explain.ts'
import styles from './error-panel.module.css'

interface Props {
  error: unknown
  /** The name of the part that failed to load, for screen readers. */
  name?: string
  onRetry?: () => void
}

/** The error panel, the same wherever a call fails. */
export function ErrorPanel({ error, name, onRetry }: Props) {
  const { status, title, message, requestId } = explainError(error, navigator.onLine)
  const explainer = useExplainer()
  const reason = explainer?.reasonOf(error, name ?? 'this')
  return (
    <div className={styles.panel} role="alert" aria-label={name === undefined ? undefined : `${name}: ${title}`}>
      <IconAlertTriangle size={20} stroke={1.75} aria-hidden className={styles.icon} />
      <div className={styles.text}>
        <strong>
          <bdi>{title}</bdi>
        </strong>
        {isBusy(error) ? <bdi>{message}</bdi> : <Reason status={status} message={message} />}
        {requestId !== undefined && !isBusy(error) && (
          <bdi className={styles.request}>
            Request <code>{requestId}</code>
          </bdi>
        )}
        {reason !== undefined && (
          <Button small aria-haspopup="dialog" className={styles.retry} onClick={() => explainer?.explain(reason)}>
            See why
          </Button>
        )}
        {onRetry !== undefined && (
          <Button small onClick={onRetry} className={styles.retry}>
            Try again
          </Button>
        )}
      </div>
    </div>
  )
}

function Reason({ status, message }: { status: number; message: string }) {
  return (
    <>
      <bdi>Status code: {status}</bdi>
      <bdi>
        Reason: <bdi>{message}</bdi>
      </bdi>
      <bdi>Please contact our technical support.</bdi>
    </>
  )
}
