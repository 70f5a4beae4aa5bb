import { useParams } from '@tanstack/react-router'
import { AppPage } from '../../features/apps/app-page.tsx'
import { Refused } from '../../features/permissions/why/refused.tsx'

/** An app; closed, it says why. */
export function ExplainedApp() {
  const { appId } = useParams({ from: '/apps/$appId' })
  return (
    <AppPage
      refused={(onRetry) => (
        <Refused
          question={{ ask: 'scope', scope: 'app.view', place: 'app', id: appId, purpose: 'open this app' }}
          onRetry={onRetry}
        />
      )}
    />
  )
}
