import type { ListReply } from '@quayside/contract/paging'
import type { App, Space } from '@quayside/contract/portal-api'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { usePin } from '../../api/pins.tsx'
import { usePageTitle } from '../../lib/page-title.ts'
import { usePortal } from '../../lib/portal.tsx'
import { useAccess } from '../../lib/use-access.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import layout from '../../ui/columns.module.css'
import { CopyableId } from '../../ui/copyable-id.tsx'
import { DetailHeader } from '../../ui/detail-header.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { Loading } from '../../ui/loading.tsx'
import { PinButton } from '../../ui/pin-button.tsx'
import { SpaceApps } from './space-apps.tsx'
import { SpaceDialog } from './space-dialog.tsx'
import { SpaceFacts } from './space-facts.tsx'
import { useRemoveSpace } from './use-remove-space.tsx'
import { useSpace } from './use-spaces.ts'

/** One space: its apps, its clusters, and what the person may do in it. */
export function SpacePage() {
  const { spaceId } = useParams({ from: '/spaces/$spaceId/overview' })
  const space = useSpace(spaceId)
  usePageTitle(space.data?.displayName)
  if (space.error !== null) return <ErrorPanel error={space.error} name="Space" onRetry={() => void space.refetch()} />
  if (space.data === undefined) return <Loading />
  return <Overview space={space.data} />
}

function Overview({ space }: { space: Space }) {
  const { api } = usePortal()
  const [editing, setEditing] = useState(false)
  const navigate = useNavigate()
  const remove = useRemoveSpace()
  const apps = useQuery({
    queryKey: ['apps', 'space', space.id],
    queryFn: ({ signal }) =>
      api.get<ListReply<App>>('/portal-api/v2/apps', {
        signal,
        query: { filters: { spaceId: space.id }, page: { skip: 0, limit: 200 } },
      }),
  })
  const mayEdit = useAccess('apps', 'apps.create')
  const mayDeploy = useAccess('catalog-apps', 'catalog.deploy')
  const deploy = mayDeploy && (
    <Link to="/catalog/apps" search={{ space: space.id } as never} className={buttonClass('primary')}>
      <IconPlus size={16} stroke={1.75} aria-hidden /> Deploy app
    </Link>
  )
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
            {mayEdit && (
              <>
                <Button
                  icon={IconTrash}
                  onClick={async () => {
                    if (await remove(space)) void navigate({ to: '/spaces' })
                  }}
                >
                  Delete
                </Button>
                <Button icon={IconPencil} onClick={() => setEditing(true)}>
                  Edit
                </Button>
              </>
            )}
            {deploy}
          </>
        }
      />
      <div className={layout.columns}>
        <SpaceApps apps={apps.data?.data} error={apps.error} onRetry={() => void apps.refetch()} deploy={deploy} />
        <SpaceFacts space={space} />
      </div>
      {editing && <SpaceDialog space={space} onClose={() => setEditing(false)} onSaved={() => setEditing(false)} />}
    </>
  )
}
