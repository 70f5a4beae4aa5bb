import type { App } from '@quayside/contract/apps/endpoints'
import { inApp, useGuard } from '../../../api/permissions/my-scopes.ts'
import { useUrlState } from '../../../lib/url-state.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { GuardedButton } from '../../../ui/actions/guarded-button.tsx'
import { Panel } from '../../../ui/layout/panel.tsx'
import { StateBadge } from '../../../ui/states/state-badge.tsx'
import { useDeletePod } from '../workloads/use-delete-pod.ts'
import styles from './app-overview.module.css'
import type { TreeObject } from './overview-objects.ts'

interface Props {
  app: App
  objects: readonly TreeObject[]
  /** The trouble reported for the release as a whole. */
  message: string | null
}

/** The objects in trouble, each with its reason and its remedies. */
export function NeedsAttention({ app, objects, message }: Props) {
  const [, setUrl] = useUrlState()
  const remove = useDeletePod(app)
  const right = useGuard()('app.delete-pod', `restart pods of ${app.displayName}`, inApp(app))
  if (objects.length === 0 && message === null) return null
  return (
    <Panel title="Needs attention">
      {message !== null && (
        <p className={styles.message}>
          <bdi>{message}</bdi>
        </p>
      )}
      <ul className={styles.troubles}>
        {objects.map((object) => (
          <li key={object.id}>
            <span className={styles.trouble}>
              <bdi className={styles.name} title={object.name}>
                {object.name}
              </bdi>
              <StateBadge state={object.state} />
            </span>
            <span className={styles.detail}>
              <bdi>{object.detail === '' ? object.kind : `${object.kind} · ${object.detail}`}</bdi>
            </span>
            {object.kind === 'Pod' && (
              <span className={styles.remedies}>
                <Button
                  small
                  aria-label={`Logs of ${object.name}`}
                  onClick={() => setUrl({ tab: 'workloads', pod: object.name })}
                >
                  Logs
                </Button>
                <GuardedButton
                  small
                  {...right}
                  aria-label={`Restart pod ${object.name}`}
                  onClick={() => void remove(object)}
                >
                  Restart pod
                </GuardedButton>
              </span>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  )
}
