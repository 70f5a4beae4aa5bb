import { useParams } from '@tanstack/react-router'
import { AppPage } from '../../features/apps/app-page.tsx'
import { Refused } from '../../features/permissions/why/refused.tsx'
import { lazily } from '../../ui/states/lazily.tsx'
import { Loading } from '../../ui/states/loading.tsx'

const AppMetrics = lazily(
  () => import('../../features/metrics/app-metrics.tsx').then((module) => module.AppMetrics),
  <Loading />,
)

const AppLogs = lazily(() => import('../../features/logs/app-logs.tsx').then((module) => module.AppLogs), <Loading />)

/** An app; closed, it says why. */
export function ExplainedApp() {
  const { appId } = useParams({ from: '/apps/$appId' })
  return (
    <AppPage
      metrics={(app) => <AppMetrics app={app} />}
      logs={(app) => <AppLogs app={app} />}
      refused={(onRetry) => (
        <Refused
          question={{ ask: 'scope', scope: 'app.view', place: 'app', id: appId, purpose: 'open this app' }}
          onRetry={onRetry}
        />
      )}
    />
  )
}
