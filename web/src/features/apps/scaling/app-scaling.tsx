import type { App } from '@quayside/contract/apps/endpoints'
import type { QuotaUse, WorkloadLimits } from '@quayside/contract/clusters/scaling'
import { useState } from 'react'
import { type Container, useChangeWorkload, useLimits } from '../../../api/clusters/scaling.ts'
import { Panel } from '../../../ui/layout/panel.tsx'
import { type Column, DataTable } from '../../../ui/lists/data-table.tsx'
import { EmptyState } from '../../../ui/states/empty-state.tsx'
import { ErrorPanel } from '../../../ui/states/error-panel.tsx'
import { Loading } from '../../../ui/states/loading.tsx'
import styles from './app-scaling.module.css'
import { LimitsDialog } from './limits-dialog.tsx'
import { ReplicasDialog } from './replicas-dialog.tsx'
import { WorkloadPanel } from './workload-panel.tsx'

type Open = { workload: WorkloadLimits; container?: Container }

/** Replicas, requests and limits of what runs of an app, changed beside its release. */
export function AppScaling({ app }: { app: App }) {
  const found = useLimits(app.id)
  const change = useChangeWorkload(app.id)
  const [open, setOpen] = useState<Open>()
  if (found.error !== null && found.data === undefined)
    return <ErrorPanel error={found.error} name="Scaling & limits" onRetry={() => void found.refetch()} />
  if (found.data === undefined) return <Loading />
  const { data, quotas } = found.data
  if (data.length === 0)
    return (
      <EmptyState
        title="Nothing to scale"
        text="This app runs no Deployment, StatefulSet or DaemonSet, so there are no replicas or limits to set."
      />
    )
  const close = () => {
    change.reset()
    setOpen(undefined)
  }
  return (
    <div className={styles.stack}>
      <p className={styles.note}>
        <bdi>
          Changes apply at once. The next upgrade or rollback sets every value that the release names back to what the
          release says; to keep a change, upgrade the app with new values.
        </bdi>
      </p>
      {change.isSuccess && open === undefined && (
        <p role="status" className={styles.done}>
          <bdi>{change.data}</bdi>
        </p>
      )}
      {change.error !== null && open === undefined && <ErrorPanel error={change.error} name="Restart" />}
      {data.map((workload) => (
        <WorkloadPanel
          key={`${workload.kind}/${workload.name}`}
          app={app}
          workload={workload}
          busy={change.isPending}
          onScale={() => setOpen({ workload })}
          onLimits={(container) => setOpen({ workload, container })}
          onRestart={() =>
            change.mutate({ set: 'restart', body: { appId: app.id, ...named(workload) } as RestartBody })
          }
        />
      ))}
      <Panel title="Quota of the space" flush>
        <DataTable
          sorts="all rows are here"
          label="Quota of the space"
          columns={quotaColumns}
          rows={quotas}
          rowKey={({ quota, resource }) => `${quota}/${resource}`}
          empty={<EmptyState title="No quota" text="Nothing limits what this space may use on its cluster." />}
        />
      </Panel>
      {open !== undefined &&
        (open.container === undefined ? (
          <ReplicasDialog appId={app.id} workload={open.workload} change={change} onClose={close} onDone={setOpen} />
        ) : (
          <LimitsDialog
            appId={app.id}
            workload={open.workload}
            container={open.container}
            change={change}
            onClose={close}
            onDone={setOpen}
          />
        ))}
    </div>
  )
}

type RestartBody = Extract<Parameters<ReturnType<typeof useChangeWorkload>['mutate']>[0], { set: 'restart' }>['body']
const named = ({ kind, name }: WorkloadLimits) => ({ kind, name })

const quotaColumns: readonly Column<QuotaUse>[] = [
  {
    key: 'resource',
    title: 'Resource',
    sortBy: ({ resource }) => resource,
    cell: ({ resource }) => <code className="ltr">{resource}</code>,
  },
  { key: 'used', title: 'Used', align: 'end', cell: ({ used }) => <bdi>{used}</bdi> },
  { key: 'hard', title: 'Limit', align: 'end', cell: ({ hard }) => <bdi>{hard}</bdi> },
  {
    key: 'quota',
    title: 'Quota',
    sortBy: ({ quota }) => quota,
    cell: ({ quota }) => <code className="ltr">{quota}</code>,
  },
]
