import type { App } from '@quayside/contract/apps/endpoints'
import IconArrowBackUp from '@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs'
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs'
import IconExternalLink from '@tabler/icons-react/dist/esm/icons/IconExternalLink.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useApp } from '../../api/app.ts'
import { useWizards } from '../../api/deployments/wizards.tsx'
import { inApp, useGuard } from '../../api/permissions/my-scopes.ts'
import { useWhy } from '../../api/permissions/why.tsx'
import { usePin } from '../../api/pins.tsx'
import { useOverview } from '../../api/workloads.ts'
import { isGone } from '../../lib/api/api-error.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { buttonClass } from '../../ui/actions/button.tsx'
import { CopyableId } from '../../ui/actions/copyable-id.tsx'
import { GuardedButton } from '../../ui/actions/guarded-button.tsx'
import { PinButton } from '../../ui/actions/pin-button.tsx'
import { TextButton } from '../../ui/actions/text-button.tsx'
import { DetailHeader } from '../../ui/layout/detail-header.tsx'
import { UrlTabs } from '../../ui/layout/url-tabs.tsx'
import { Avatar } from '../../ui/marks/avatar.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import { Loading } from '../../ui/states/loading.tsx'
import { StateBadge } from '../../ui/states/state-badge.tsx'
import { AppFreeze } from './app-freeze.tsx'
import styles from './app-page.module.css'
import { AppRevisions } from './app-revisions.tsx'
import { AppSettings } from './app-settings.tsx'
import { AppValues } from './app-values.tsx'
import { FailedInstall, hasNeverRun } from './installation/failed-install.tsx'
import { AppOverview } from './overview/app-overview.tsx'
import { RunningAction } from './running-action.tsx'
import { AppScaling } from './scaling/app-scaling.tsx'
import { StuckRelease } from './stuck-release.tsx'
import { isWebAddress } from './web-address.ts'
import { AppWorkloads } from './workloads/app-workloads.tsx'

interface Props {
  /** Stands in place of an app that the person cannot see. */
  refused: (onRetry: () => void) => ReactNode
  /** The content of the Metrics tab. */
  metrics: (app: App) => ReactNode
  /** The content of the Logs tab. */
  logs: (app: App) => ReactNode
}

export function AppPage({ refused, metrics, logs }: Props) {
  const { appId } = useParams({ from: '/apps/$appId' })
  const app = useApp(appId)
  usePageTitle(app.data?.displayName)
  if (isGone(app.error) && app.data === undefined) return refused(() => void app.refetch())
  if (app.error !== null && app.data === undefined)
    return <ErrorPanel error={app.error} name="App" onRetry={() => void app.refetch()} />
  if (app.data === undefined) return <Loading />
  // An app that was deleted while somebody looks on stays on the page as it last was.
  if (app.error !== null)
    return (
      <EmptyState
        title={`${app.data.displayName} has been deleted`}
        text="Its release and objects have been removed from the cluster, or you can no longer see it."
      />
    )
  return <Detail app={app.data} metrics={metrics(app.data)} logs={logs(app.data)} />
}

function Detail({ app, metrics, logs }: { app: App; metrics: ReactNode; logs: ReactNode }) {
  const isDeployed = app.releaseName !== null
  const { open } = useWhy()
  const tabs = [
    { value: 'overview', title: 'Overview', panel: <AppOverview app={app} />, shown: isDeployed },
    { value: 'workloads', title: 'Workloads', panel: <AppWorkloads app={app} />, shown: isDeployed },
    { value: 'logs', title: 'Logs', panel: logs, shown: isDeployed },
    { value: 'metrics', title: 'Metrics', panel: metrics, shown: isDeployed },
    { value: 'scaling', title: 'Scaling & limits', panel: <AppScaling app={app} />, shown: isDeployed },
    { value: 'values', title: 'Values', panel: <AppValues app={app} />, shown: isDeployed },
    { value: 'revisions', title: 'Revisions', panel: <AppRevisions app={app} />, shown: isDeployed },
    { value: 'settings', title: 'Settings', panel: <AppSettings key={app.updatedAt} app={app} />, shown: true },
  ].filter(({ shown }) => shown)
  const pin = usePin({ kind: 'apps', id: app.id, name: app.displayName })
  return (
    <>
      <DetailHeader
        title={app.displayName}
        mark={<Avatar name={app.displayName} color={app.color} image={app.iconEmbedded} size={36} />}
        below={
          <>
            <CopyableId id={app.releaseName ?? app.id} label="release name" />{' '}
            <CopyableId id={app.namespace} label="namespace" />{' '}
            <Link to="/cloud-automation" search={{ app: app.id }}>
              All actions
            </Link>{' '}
            <TextButton
              aria-haspopup="dialog"
              onClick={() => open({ ask: 'all', place: 'app', id: app.id, name: app.displayName, page: 'apps/$appId' })}
            >
              What can I do here
            </TextButton>
          </>
        }
        state={<StateBadge state={app.state} boxed />}
        actions={
          <>
            <PinButton {...pin} />
            {isDeployed && <Visit appId={app.id} />}
            <Actions app={app} />
          </>
        }
      />
      <AppFreeze spaceId={app.spaceId} />
      <RunningAction app={app} />
      {isDeployed && <StuckRelease app={app} />}
      {!isDeployed && <NotDeployed app={app} />}
      {hasNeverRun(app) && <FailedInstall app={app} />}
      <UrlTabs tabs={tabs} />
    </>
  )
}

/** An installation that was left before it was deployed. */
function NotDeployed({ app }: { app: App }) {
  const { open } = useWizards()
  const deploys = useGuard()('app.deploy', `deploy ${app.displayName}`, inApp(app))
  const waits = app.state === 'assigned'
  return (
    <EmptyState
      title="Not deployed"
      text={`The app was assigned to its space and nothing of it runs yet. ${deploys.allowed === true && waits ? 'Go on with its installation, or delete it.' : ''}`}
      action={
        waits && (
          <GuardedButton
            look="primary"
            icon={IconArrowUp}
            {...deploys}
            onClick={() => void open({ kind: 'deploy', appId: app.id })}
          >
            Deploy
          </GuardedButton>
        )
      }
    />
  )
}

/** The first address of the app that a browser can open. */
function Visit({ appId }: { appId: string }) {
  const address = useOverview(appId).data?.endpoints.find((endpoint) => isWebAddress(endpoint.address))?.address
  if (address === undefined) return null
  return (
    <a href={address} target="_blank" rel="noopener noreferrer" className={buttonClass()}>
      <IconExternalLink size={16} stroke={1.75} aria-hidden />
      <bdi className={styles.host}>{new URL(address).host}</bdi>
    </a>
  )
}

function Actions({ app }: { app: App }) {
  const { open } = useWizards()
  const guard = useGuard()
  const isDeployed = app.releaseName !== null
  return (
    <>
      <GuardedButton
        icon={IconTrash}
        {...guard(isDeployed ? 'app.delete' : 'app.delete-assigned', `delete ${app.displayName}`, inApp(app))}
        onClick={() => void open({ kind: 'delete', appId: app.id })}
      >
        Delete
      </GuardedButton>
      {isDeployed && (app.revision ?? 1) > 1 && (
        <GuardedButton
          icon={IconArrowBackUp}
          {...guard('app.rollback', `roll back ${app.displayName}`, inApp(app))}
          onClick={() => void open({ kind: 'rollback', appId: app.id })}
        >
          Rollback
        </GuardedButton>
      )}
      {isDeployed && (
        <GuardedButton
          look={hasNeverRun(app) ? 'default' : 'primary'}
          icon={IconArrowUp}
          {...guard('app.upgrade', `upgrade ${app.displayName}`, inApp(app))}
          onClick={() => void open({ kind: 'upgrade', appId: app.id })}
        >
          {app.availableVersion === null ? 'Upgrade' : `Upgrade to ${app.availableVersion}`}
        </GuardedButton>
      )}
    </>
  )
}
