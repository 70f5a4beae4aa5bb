import type { Action } from '@quayside/contract/deployments/endpoints'
import { Link, useParams } from '@tanstack/react-router'
import { useGoneApp } from '../../../api/deployments/gone-app.ts'
import { useAction } from '../../../api/deployments/ledger.ts'
import { usePageTitle } from '../../../lib/page-title.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { CopyableId } from '../../../ui/actions/copyable-id.tsx'
import { DetailHeader } from '../../../ui/layout/detail-header.tsx'
import { FactList, Panel } from '../../../ui/layout/panel.tsx'
import { ErrorPanel } from '../../../ui/states/error-panel.tsx'
import { Loading } from '../../../ui/states/loading.tsx'
import { StateBadge } from '../../../ui/states/state-badge.tsx'
import { RelativeTime } from '../../../ui/text/relative-time.tsx'
import { GoneAdvice } from '../progress/gone-app.tsx'
import { Outcome } from '../progress/outcome.tsx'
import { ProgressLog } from '../progress/progress-log.tsx'
import { texts } from '../texts.ts'
import { spanWords } from '../wizard/elapsed.ts'
import { kinds } from './action-kinds.ts'
import styles from './action-page.module.css'
import { useActionMenu } from './use-action-menu.ts'
import { useActionLines } from './use-ledger.ts'

/** One action of the ledger: who asked for what, every line it told, how it ended, and what to do. */
export function ActionPage() {
  const { actionId } = useParams({ from: '/cloud-automation/$actionId' })
  const action = useAction(actionId)
  usePageTitle(action.data && `${kinds[action.data.kind].name} of ${action.data.appName}`)
  if (action.error !== null && action.data === undefined)
    return <ErrorPanel error={action.error} name="Action" onRetry={() => void action.refetch()} />
  return action.data === undefined ? <Loading /> : <Detail key={actionId} action={action.data} />
}

function Detail({ action }: { action: Action }) {
  const lines = useActionLines(action.id, action.running)
  const menu = useActionMenu()
  const { result, iamResult, kind, appId } = action
  const gone = useGoneApp(appId ?? undefined, action.state === 'Failed')
  return (
    <>
      <DetailHeader
        title={`${kinds[kind].name} of ${action.appName}`}
        below={<CopyableId id={action.id} label="action id" />}
        state={<StateBadge state={action.state} boxed />}
        actions={menu(action)
          .filter(({ label }) => label !== 'Open' && label !== 'Open app' && !(gone && deedsWithApp.has(label)))
          .map(({ label, icon, onSelect }) => (
            <Button key={label} icon={icon} onClick={onSelect}>
              {label}
            </Button>
          ))}
      />
      <div className={styles.columns}>
        <div className={styles.told}>
          {iamResult !== null && iamResult.type !== 'Success' && (
            <Outcome summary={`${iamResult.type}: ${iamResult.msg}`} lines={[]} failed />
          )}
          {result !== null && (
            <Outcome
              summary={result.summary}
              lines={result.lines}
              failed={action.state === 'Failed'}
              advice={
                gone ? (
                  <GoneAdvice gone={gone} next={texts.gone.nextInLedger} />
                ) : gone === null ? (
                  kinds[kind].advice
                ) : undefined
              }
            />
          )}
          <Panel>
            {lines.error === null ? (
              <div className={styles.log}>
                <ProgressLog title="Log" heading="h2" lines={lines.data ?? []} />
              </div>
            ) : (
              <ErrorPanel error={lines.error} name="Log" onRetry={() => void lines.refetch()} />
            )}
          </Panel>
        </div>
        <Panel title="Details">
          <FactList facts={factsOf(action, gone != null)} />
        </Panel>
      </div>
    </>
  )
}

/** The action menu's entries that work only while the app exists. */
const deedsWithApp: ReadonlySet<string> = new Set(['Try again', 'Repair'])

function factsOf(action: Action, isMissing: boolean) {
  const { acceptedAt, finishedAt, appId, kind } = action
  const isGone = isMissing || appId === null || (kind === 'Delete' && action.state === 'Success')
  const facts = [
    {
      name: 'App',
      value: isGone ? (
        <bdi>{action.appName}</bdi>
      ) : (
        <Link to="/apps/$appId" params={{ appId }}>
          <bdi>{action.appName}</bdi>
        </Link>
      ),
    },
    { name: 'Version', value: <bdi className="mono">{action.version ?? '–'}</bdi> },
    { name: 'Space', value: <bdi>{action.spaceName ?? '–'}</bdi> },
    { name: 'Cluster', value: <bdi>{action.clusterName ?? '–'}</bdi> },
    { name: 'Namespace', value: <bdi className="mono">{action.namespace ?? '–'}</bdi> },
    { name: 'Release', value: <bdi className="mono">{action.releaseName ?? '–'}</bdi> },
    { name: 'Started by', value: <bdi>{action.startedBy}</bdi> },
    { name: 'Started', value: <RelativeTime at={acceptedAt} /> },
  ]
  if (action.costReason != null) facts.push({ name: 'Beyond the budget', value: <bdi>{action.costReason}</bdi> })
  if (action.idempotencyKey !== null)
    facts.push({ name: 'Idempotency key', value: <bdi className="mono">{action.idempotencyKey}</bdi> })
  if (finishedAt !== null)
    facts.push({ name: 'Took', value: <bdi>{spanWords(Date.parse(finishedAt) - Date.parse(acceptedAt))}</bdi> })
  return facts
}
