import type { Action } from '@quayside/contract/deployments/endpoints'
import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useWizards } from '../../api/deployments/wizards.tsx'
import { usePageTitle } from '../../lib/page-title.ts'
import { usePortal } from '../../lib/portal.tsx'
import { PageHeader } from '../../ui/layout/page-header.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { classNames } from '../../ui/marks/class-names.ts'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import { Skeleton } from '../../ui/states/skeleton.tsx'
import { StateBadge } from '../../ui/states/state-badge.tsx'
import { RelativeTime } from '../../ui/text/relative-time.tsx'
import { type Attention, attentionFrom } from './attention.ts'
import { showsChecklist } from './checklist.ts'
import { Checklist } from './checklist.tsx'
import { Counts } from './counts.tsx'
import styles from './home-page.module.css'
import { type HomeData, useHomeData } from './use-home-data.ts'

/** Where everyone arrives: what needs a look, how things stand, what happened last. */
export function HomePage({ actions }: { actions?: ReactNode }) {
  usePageTitle('Home')
  const { config } = usePortal()
  const data = useHomeData()
  const holdings = {
    spaces: data.spaces.data?.page.total,
    clusters: data.clusters.data?.page.total,
    items: data.items.data?.page.total,
    apps: data.apps.data?.page.total,
  }
  return (
    <div className={styles.page}>
      <PageHeader title={config.tenant.displayName} actions={actions} />
      {showsChecklist(holdings) && <Checklist holdings={holdings} />}
      <Counts data={data} />
      {Object.values(data.sees).includes(true) ? (
        <div className={styles.columns}>
          <AttentionPanel data={data} />
          {data.sees.actions && <RecentPanel data={data} />}
        </div>
      ) : (
        <EmptyState
          icon={IconLock}
          title="You do not have access to anything yet"
          text="An administrator of your tenant can assign roles to you. The sections that they open appear here and in the navigation."
        />
      )}
    </div>
  )
}

function AttentionPanel({ data }: { data: HomeData }) {
  const { troubled, clusters, failedActions } = data
  const waiting = [troubled, clusters, failedActions].some(({ isLoading }) => isLoading)
  const failed = [troubled, clusters, failedActions].find(({ error }) => error !== null)
  const things = attentionFrom(
    troubled.data?.data ?? [],
    clusters.data?.data ?? [],
    failedActions.data?.data ?? [],
    Date.now(),
  )
  return (
    <Panel title="Needs attention" flush aside={things.length > 0 && <bdi>{things.length}</bdi>}>
      {failed !== undefined && (
        <div className={styles.failed}>
          <ErrorPanel error={failed.error} name="Needs attention" onRetry={() => void failed.refetch()} />
        </div>
      )}
      {waiting && <Placeholders />}
      {!waiting && failed === undefined && things.length === 0 && (
        <EmptyState title="All is well" text="Problems will appear here." />
      )}
      <ul className={styles.list}>
        {things.map((thing) => (
          <li key={thing.key} className={styles.row}>
            <StateBadge state={thing.state} />
            <span className={styles.what}>
              <AttentionLink thing={thing} />
              <span className={styles.reason}>
                <bdi>{thing.reason}</bdi>
              </span>
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function AttentionLink({ thing }: { thing: Attention }) {
  const { open } = useWizards()
  const name = <bdi>{thing.name}</bdi>
  if (thing.kind === 'app') {
    return (
      <Link to="/apps/$appId" params={{ appId: thing.id }}>
        {name}
      </Link>
    )
  }
  if (thing.kind === 'cluster') {
    return (
      <Link to="/clusters/$clusterId" params={{ clusterId: thing.id }}>
        {name}
      </Link>
    )
  }
  return (
    <button type="button" className={styles.link} onClick={() => void open({ kind: 'follow', actionId: thing.id })}>
      {name}
    </button>
  )
}

function RecentPanel({ data: { recent } }: { data: HomeData }) {
  const actions = recent.data?.data ?? []
  return (
    <Panel title="Recent deployments" flush>
      {recent.error !== null && (
        <div className={styles.failed}>
          <ErrorPanel error={recent.error} name="Recent deployments" onRetry={() => void recent.refetch()} />
        </div>
      )}
      {recent.isLoading && <Placeholders />}
      {recent.isSuccess && actions.length === 0 && (
        <EmptyState title="Nothing deployed yet" text="Every install, upgrade, rollback and deletion is listed here." />
      )}
      <ul className={styles.list}>
        {actions.map((action) => (
          <RecentAction key={action.id} action={action} />
        ))}
      </ul>
    </Panel>
  )
}

function RecentAction({ action }: { action: Action }) {
  const { open } = useWizards()
  return (
    <li className={styles.row}>
      <StateBadge
        state={action.running ? 'progressing' : action.state}
        label={action.running ? 'Running' : undefined}
      />
      <span className={styles.what}>
        <button
          type="button"
          className={styles.link}
          onClick={() => void open({ kind: 'follow', actionId: action.id })}
        >
          <span className="ltr">
            {action.kind} <bdi>{action.appName}</bdi> {action.version !== null && <code>{action.version}</code>}
          </span>
        </button>
        <span className={classNames(styles.reason, 'ltr')}>
          <bdi>{action.spaceName ?? '–'}</bdi> · <bdi>{action.clusterName ?? '–'}</bdi> · by{' '}
          <bdi>{action.startedBy}</bdi>
        </span>
      </span>
      <span className={styles.when}>
        <RelativeTime at={action.acceptedAt} />
      </span>
    </li>
  )
}

function Placeholders() {
  return (
    <ul className={styles.list} aria-hidden="true">
      {[160, 200, 140].map((width) => (
        <li key={width} className={styles.row}>
          <Skeleton width={64} />
          <Skeleton width={width} />
        </li>
      ))}
    </ul>
  )
}
