import type { Waiting } from '@quayside/contract/live/live'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import { Spinner } from '../../../ui/states/spinner.tsx'
import { texts } from '../texts.ts'
import styles from './progress-step.module.css'

/** The objects of the action, each ready or still waited for; in a deletion, gone or still there. */
export function WaitingList({ waiting, isRemoval }: { waiting: Waiting; isRemoval: boolean }) {
  const words = texts.progress.waiting[isRemoval ? 'removal' : 'readiness']
  return (
    <>
      <h3 className={styles.small}>
        <bdi>{words.title(waiting.total - waiting.ready, waiting.total)}</bdi>
      </h3>
      <ul className={styles.objects}>
        {waiting.objects.map(({ kind, name, ready, detail, lastEvent }) => (
          <li key={`${kind}/${name}`} title={[`${kind} ${name}`, detail, lastEvent].filter(Boolean).join('\n')}>
            {ready ? (
              <IconCircleCheck size={16} stroke={1.75} role="img" aria-label={words.done} className={styles.ready} />
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
