import { type Dashboard, type DashboardRow, dashboards } from '@quayside/contract/dashboards/endpoints'
import { type DashboardPermission, dashboardPermissions } from '@quayside/contract/dashboards/permission-list'
import type { ListReply } from '@quayside/contract/http/paging'
import { pathOf } from '@quayside/contract/http/path'
import { type Space, spaces } from '@quayside/contract/spaces/endpoints'
import type { Directory } from '../directory-client.ts'
import { userId } from './people.ts'
import type { PortalClient } from './portal-client.ts'
import type { SampleDashboard, SamplePanel } from './samples.ts'

const everything = 'page.limit=1000'

/** Makes the dashboards that are not there, each shared with everyone and left to the person who owns it. */
export async function makeDashboards(
  portal: PortalClient,
  directory: Directory,
  samples: readonly SampleDashboard[],
): Promise<void> {
  const { data: there } = await portal.call<ListReply<DashboardRow>>(
    'GET',
    `${pathOf(dashboards.listDashboards)}?${everything}`,
  )
  const { data: known } = await portal.call<ListReply<Space>>('GET', `${pathOf(spaces.listSpaces)}?${everything}`)
  const spaceIds = new Map(known.map(({ displayName, id }) => [displayName, id]))
  for (const { owner, panels, ...texts } of samples) {
    if (there.some(({ displayName }) => displayName === texts.displayName)) continue
    const body = { ...texts, ownerId: await userId(directory, owner), spec: specOf(panels, spaceIds) }
    const { id } = await portal.call<Dashboard>('POST', pathOf(dashboards.createDashboard), body)
    const list = pathOf(dashboardPermissions.listDashboardPermissions, { id })
    await portal.call('POST', list, { principal: { type: 'everyone' }, scopes: ['dashboard.view'] })
    const { data } = await portal.call<{ data: DashboardPermission[] }>('GET', list)
    const own = data.find(({ principal }) => principal.id === portal.userId)
    if (own) await portal.call('DELETE', pathOf(dashboardPermissions.deleteDashboardPermission, { id, pid: own.id }))
  }
}

/** The document of a dashboard with these panels. Those about a space that somebody has deleted are left out. */
function specOf(panels: readonly SamplePanel[], spaceIds: ReadonlyMap<string, string>) {
  const shown = panels
    .filter(({ space }) => space === undefined || spaceIds.has(space))
    .map((panel, at) => ({ ...panel, key: `panel-${at + 1}` }))
  return {
    duration: '24h',
    refreshInterval: '30s',
    panels: Object.fromEntries(
      shown.map(({ key, name, kind, space, spec }) => {
        const about = space === undefined ? {} : { spaceId: spaceIds.get(space) }
        return [key, { kind: 'Panel', spec: { display: { name }, plugin: { kind, spec: { ...spec, ...about } } } }]
      }),
    ),
    layouts: [
      {
        kind: 'Grid',
        spec: {
          items: shown.map(({ key, x, y, width, height }) => ({
            ...{ x, y, width, height },
            content: { $ref: `#/spec/panels/${key}` },
          })),
        },
      },
    ],
  }
}
