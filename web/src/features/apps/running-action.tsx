import type { Action } from '@quayside/contract/deployment'
import type { ListReply } from '@quayside/contract/paging'
import type { App } from '@quayside/contract/portal-api'
import { useQuery } from '@tanstack/react-query'
import { usePortal } from '../../lib/portal.tsx'
import { useWizards } from '../../lib/wizards.tsx'
import { Button } from '../../ui/button.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { isWaiting, useCancelAction } from '../../ui/use-cancel-action.ts'
import styles from './running-action.module.css'

/** Beginnings and ends are told by the socket; where a running action stands is looked up. */
const lookAgainMs = 2000

/** Says on the page of an app what is being done with it, with the way to look on and, while it waits, back. */
export function RunningAction({ app }: { app: App }) {
  const { api } = usePortal()
  const { open } = useWizards()
  const cancel = useCancelAction()
  const isBusy = app.state === 'deploying' || app.state === 'deleting'
  const running = useQuery({
    queryKey: ['actions', 'of-app', app.id],
    enabled: isBusy,
    queryFn: ({ signal }) =>
      api.get<ListReply<Action>>('/deployment/v1/actions', {
        signal,
        query: { filters: { state: 'running', appId: app.id }, page: { skip: 0, limit: 5 } },
      }),
    refetchInterval: lookAgainMs,
  })
  const action = running.data?.data.find(({ kind }) => kind !== 'Assign' && kind !== 'Prepare')
  if (!isBusy || action === undefined) return null
  const waits = isWaiting(action)
  const takeBack = cancel(action)
  return (
    <section className={styles.running} aria-label="Running action">
      <Spinner size={16} />
      <p>
        <bdi>
          <strong>
            {action.kind} {waits ? 'waits for its turn' : 'is running'}
          </strong>{' '}
          – started by <bdi>{action.startedBy}</bdi> <RelativeTime at={action.acceptedAt} />
        </bdi>
      </p>
      {takeBack !== undefined && <Button onClick={() => void takeBack()}>Cancel</Button>}
      <Button onClick={() => void open({ kind: 'follow', actionId: action.id })}>Follow live</Button>
    </section>
  )
}
