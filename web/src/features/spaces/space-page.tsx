import type { Space } from '@quayside/contract/spaces/endpoints'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { Link, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { inSpace, useGuard, useMay } from '../../api/permissions/my-scopes.ts'
import { usePin } from '../../api/pins.tsx'
import { useSpace } from '../../api/space.ts'
import { isGone } from '../../lib/api/api-error.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { buttonClass } from '../../ui/actions/button.tsx'
import { CopyableId } from '../../ui/actions/copyable-id.tsx'
import { GuardedButton } from '../../ui/actions/guarded-button.tsx'
import { PinButton } from '../../ui/actions/pin-button.tsx'
import { DetailHeader } from '../../ui/layout/detail-header.tsx'
import { UrlTabs } from '../../ui/layout/url-tabs.tsx'
import layout from '../../ui/lists/columns.module.css'
import { Avatar } from '../../ui/marks/avatar.tsx'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import { Loading } from '../../ui/states/loading.tsx'
import type { ExemptField } from './freeze/freeze-dialog.tsx'
import { FreezeButton, SpaceFreeze } from './freeze/space-freeze.tsx'
import { SpaceApps } from './space-apps.tsx'
import { SpaceDialog } from './space-dialog.tsx'
import { SpaceFacts } from './space-facts.tsx'
import { useRemoveSpace } from './use-remove-space.tsx'

interface Props {
  /** The content of the Members tab. */
  members: (space: Space) => ReactNode
  /** Stands above the tabs: where its pods have rights on a whole cluster. */
  elevation?: (space: Space) => ReactNode
  /** Chooses people who deploy during a freeze. */
  exemptField: ExemptField
  /** The content of the Kubeconfigs tab. */
  kubeconfigs: (space: Space) => ReactNode
  /** The content of the Logs tab. */
  logs: (space: Space) => ReactNode
  /** The content of the Metrics tab. */
  metrics: (space: Space) => ReactNode
  /** Stands in place of a space that the person cannot see. */
  refused: (onRetry: () => void) => ReactNode
}

/** One space: its apps, its clusters, its members, and what the person may do in it. */
export function SpacePage({ members, elevation, exemptField, kubeconfigs, logs, metrics, refused }: Props) {
  const { spaceId } = useParams({ from: '/spaces/$spaceId/overview' })
  const space = useSpace(spaceId)
  usePageTitle(space.data?.displayName)
  if (isGone(space.error)) return refused(() => void space.refetch())
  if (space.error !== null && space.data === undefined)
    return <ErrorPanel error={space.error} name="Space" onRetry={() => void space.refetch()} />
  if (space.data === undefined) return <Loading />
  return (
    <Tabbed
      space={space.data}
      notes={elevation?.(space.data)}
      exemptField={exemptField}
      members={members(space.data)}
      kubeconfigs={kubeconfigs(space.data)}
      logs={logs(space.data)}
      metrics={metrics(space.data)}
    />
  )
}

interface TabbedProps {
  space: Space
  notes: ReactNode
  exemptField: ExemptField
  members: ReactNode
  kubeconfigs: ReactNode
  logs: ReactNode
  metrics: ReactNode
}

function Tabbed({ space, notes, exemptField, members, kubeconfigs, logs, metrics }: TabbedProps) {
  const may = useMay()
  const answers = may('space.kubeconfigs', space.id) === true
  const looks = may('space.metrics', space.id) === true
  const reads = may('space.logs', space.id) === true
  const deploy = <Deploy space={space} />
  const pin = usePin({ kind: 'spaces', id: space.id, name: space.displayName })
  return (
    <>
      <DetailHeader
        mark={<Avatar name={space.displayName} size={36} />}
        title={space.displayName}
        below={<CopyableId id={space.id} label="space id" />}
        actions={
          <>
            <PinButton {...pin} />
            <FreezeButton space={space} exemptField={exemptField} />
            <Actions space={space} />
            {deploy}
          </>
        }
      />
      <SpaceFreeze space={space} />
      {notes}
      <UrlTabs
        tabs={[
          { value: 'overview', title: 'Overview', panel: <Overview space={space} deploy={deploy} /> },
          ...(reads ? [{ value: 'logs', title: 'Logs', panel: logs }] : []),
          ...(looks ? [{ value: 'metrics', title: 'Metrics', panel: metrics }] : []),
          { value: 'members', title: 'Members', panel: members },
          ...(answers ? [{ value: 'kubeconfigs', title: 'Kubeconfigs', panel: kubeconfigs }] : []),
        ]}
      />
    </>
  )
}

function Deploy({ space }: { space: Space }) {
  const right = useGuard()('app.deploy', `deploy apps in ${space.displayName}`, inSpace(space.id))
  if (right.allowed === true)
    return (
      <Link to="/catalog/apps" search={{ space: space.id } as never} className={buttonClass('primary')}>
        <IconPlus size={16} stroke={1.75} aria-hidden /> Deploy app
      </Link>
    )
  return (
    <GuardedButton {...right} look="primary" icon={IconPlus}>
      Deploy app
    </GuardedButton>
  )
}

function Actions({ space }: { space: Space }) {
  const [editing, setEditing] = useState(false)
  const remove = useRemoveSpace()
  const guard = useGuard()
  return (
    <>
      <GuardedButton
        icon={IconTrash}
        {...guard('space.delete', `delete ${space.displayName}`, inSpace(space.id))}
        onClick={() => void remove(space)}
      >
        Delete
      </GuardedButton>
      <GuardedButton
        icon={IconPencil}
        {...guard('space.edit', `edit ${space.displayName}`, inSpace(space.id))}
        onClick={() => setEditing(true)}
      >
        Edit
      </GuardedButton>
      {editing && <SpaceDialog space={space} onClose={() => setEditing(false)} onSaved={() => setEditing(false)} />}
    </>
  )
}

function Overview({ space, deploy }: { space: Space; deploy: ReactNode }) {
  return (
    <div className={layout.columns}>
      <SpaceApps spaceId={space.id} deploy={deploy} />
      <SpaceFacts space={space} />
    </div>
  )
}
