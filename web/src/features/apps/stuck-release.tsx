import type { Accepted, Action, Revision } from '@quayside/contract/deployment'
import type { App } from '@quayside/contract/portal-api'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { usePortal } from '../../lib/portal.tsx'
import { useAccess } from '../../lib/use-access.ts'
import { Button } from '../../ui/button.tsx'
import { useConfirm } from '../../ui/confirm.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { isStuck } from './is-stuck.ts'
import styles from './stuck-release.module.css'
import { useRevisions } from './use-apps.ts'

/** Says why Helm refuses to touch a release that somebody left half done, and offers to free it. */
export function StuckRelease({ app }: { app: App }) {
  const revisions = useRevisions(app.id)
  const newest = revisions.data?.[0]
  if (newest === undefined || !isStuck(newest, app.state)) return null
  return <Stuck app={app} newest={newest} />
}

function Stuck({ app, newest }: { app: App; newest: Revision }) {
  const { api } = usePortal()
  const queries = useQueryClient()
  const confirm = useConfirm()
  const mayManage = useAccess('catalog-apps', 'catalog.deployments.manage')
  const repair = useMutation({
    async mutationFn() {
      const { actionId } = await api.post<Accepted>('/deployment/v1/helm/deployment/actions.Repair', { appId: app.id })
      const ended = await api.get<Action>(`/deployment/v1/actions/${actionId}`, { query: { wait: 60 } })
      if (ended.state === 'Failed') throw new Error(ended.result?.summary ?? 'The repair failed')
    },
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['apps'] }),
        queries.invalidateQueries({ queryKey: ['actions'] }),
      ]),
  })
  const who = newest.startedBy ?? 'Somebody outside of this portal'
  async function ask() {
    const message = `Revision ${newest.revision} is marked as failed, so that the app can be upgraded, rolled back and deleted again. Nothing that runs is touched. Do this only when nobody is working on the release any more.`
    if (await confirm({ title: 'Repair release', message })) repair.mutate()
  }
  return (
    <>
      <div role="alert" className={styles.stuck}>
        <IconAlertTriangle size={18} stroke={1.75} aria-hidden />
        <div className={styles.words}>
          <strong>
            The release is locked: revision {newest.revision} is {newest.status}
          </strong>
          <p>
            <bdi>{who}</bdi> began it <RelativeTime at={newest.updatedAt} /> and it has not ended (
            <bdi>{newest.description}</bdi>). Until it does, Helm refuses every other change.
          </p>
        </div>
        {mayManage && (
          <Button onClick={() => void ask()} disabled={repair.isPending}>
            {repair.isPending ? 'Repairing' : 'Repair'}
          </Button>
        )}
      </div>
      {repair.error !== null && <ErrorPanel error={repair.error} name="Repair" onRetry={() => repair.mutate()} />}
    </>
  )
}
