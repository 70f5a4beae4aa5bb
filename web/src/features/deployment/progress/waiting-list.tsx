import type { Waiting } from '@quayside/contract/live'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import { Spinner } from '../../../ui/spinner.tsx'
import styles from './progress-step.module.css'

/** What the action waits for, object by object. */
export function WaitingList({ waiting }: { waiting: Waiting }) {
  return (
    <>
      <h3 className={styles.small}>
        <bdi>
          WAITING FOR {waiting.total - waiting.ready} OF {waiting.total}
        </bdi>
      </h3>
      <ul className={styles.objects}>
        {waiting.objects.map(({ kind, name, ready, detail, lastEvent }) => (
          <li key={`${kind}/${name}`} title={[`${kind} ${name}`, detail, lastEvent].filter(Boolean).join('\n')}>
            {ready ? (
              <IconCircleCheck size={16} stroke={1.75} role="img" aria-label="Ready" className={styles.ready} />
            ) : (
              <Spinner size={16} />
            )}
            <span className={styles.object}>
              <bdi className={styles.objectName}>{name}</bdi>
              <bdi className={styles.event}>
                {kind} · {detail}
              </bdi>
              {!ready && lastEvent !== null && <bdi className={styles.event}>{lastEvent}</bdi>}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}
