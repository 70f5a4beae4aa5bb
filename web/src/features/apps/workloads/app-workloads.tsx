import type { App } from '@quayside/contract/apps/endpoints'
import { usePvcs, useServiceAccounts, useServices, useWorkloads } from '../../../api/workloads.ts'
import { useUrlState } from '../../../lib/url-state.ts'
import { Panel } from '../../../ui/layout/panel.tsx'
import styles from './app-workloads.module.css'
import { pvcColumns, serviceAccountColumns, serviceColumns, workloadColumns } from './columns.tsx'
import { PodLog } from './pod-log.tsx'
import { PodTable } from './pod-table.tsx'
import { ResourceTable } from './resource-table.tsx'

/** Everything the cluster runs for an app, live, with the logs of its pods. */
export function AppWorkloads({ app }: { app: App }) {
  const [{ pod }, setUrl] = useUrlState()
  const workloads = useWorkloads(app.id)
  const pvcs = usePvcs(app.id)
  const services = useServices(app.id)
  const accounts = useServiceAccounts(app.id)
  return (
    <div className={styles.stack}>
      <Panel title="Pods" flush>
        <PodTable app={app} chosen={pod} onChoose={(name) => setUrl({ pod: name })} />
      </Panel>
      {pod !== undefined && <PodLog key={pod} appId={app.id} podName={pod} onClose={() => setUrl({ pod: '' })} />}
      <Panel title="Deployments" flush>
        <ResourceTable label="Deployments" columns={workloadColumns} found={workloads} />
      </Panel>
      <Panel title="Persistent volume claims" flush>
        <ResourceTable label="Persistent volume claims" columns={pvcColumns} found={pvcs} />
      </Panel>
      <Panel title="Services" flush>
        <ResourceTable label="Services" columns={serviceColumns} found={services} />
      </Panel>
      <Panel title="Service accounts" flush>
        <ResourceTable label="Service accounts" columns={serviceAccountColumns} found={accounts} />
      </Panel>
    </div>
  )
}
