import type { App } from '@quayside/contract/apps/endpoints'
import { usePods } from '../../api/workloads.ts'
import { LogView } from './log-view.tsx'

/** The logs of all pods of an app. */
export function AppLogs({ app }: { app: App }) {
  const pods = usePods(app.id).data?.data ?? []
  const release = app.releaseName ?? app.name
  return (
    <LogView
      of={{ app: app.id }}
      fileName={`${release}.log`}
      prefix={`${release}-`}
      part={{ key: 'pod', label: 'Pod', options: pods.map(({ name }) => ({ value: name, label: name })) }}
    />
  )
}
