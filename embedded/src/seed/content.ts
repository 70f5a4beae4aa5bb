import { type CatalogItem, catalog } from '@quayside/contract/catalog/endpoints'
import { type Cluster, clusters } from '@quayside/contract/clusters/endpoints'
import type { ListReply } from '@quayside/contract/http/paging'
import { pathOf } from '@quayside/contract/http/path'
import { permissions } from '@quayside/contract/permissions/endpoints'
import type { Permission } from '@quayside/contract/permissions/permission-entry'
import { type Space, spaces } from '@quayside/contract/spaces/endpoints'
import type { Directory } from '../directory-client.ts'
import { packChart } from './chart-package.ts'
import { principalsOf } from './people.ts'
import type { PortalClient } from './portal-client.ts'
import type { SampleChart, SampleSpace } from './samples.ts'

const everything = 'page.limit=1000'

/** Registers the sandbox, or tells the portal its address of today; gives its id in the portal. */
export async function registerSandbox(portal: PortalClient, kubeconfig: string, knownId?: string): Promise<string> {
  const { data } = await portal.call<ListReply<Cluster>>('GET', `${pathOf(clusters.list)}?${everything}`)
  const known = data.find(({ id, iaas }) => (knownId ? id === knownId : iaas.type === 'Sandbox'))
  // Somebody deregistered it: that is to stay so.
  if (knownId && !known) return knownId
  if (known) {
    await portal.call('PUT', pathOf(clusters.update, { id: known.id }), { kubeconfig })
    return known.id
  }
  const made = await portal.call<Cluster>('POST', pathOf(clusters.create), {
    displayName: 'Sandbox',
    iaas: { type: 'Sandbox' },
    kubeconfig,
    clusterScoped: true,
  })
  return made.id
}

/** Makes the spaces that are not there, each with its members and the clusters attached. */
export async function makeSpaces(
  portal: PortalClient,
  directory: Directory,
  samples: SampleSpace[],
  clusterIds: string[],
): Promise<void> {
  const { data } = await portal.call<ListReply<Space>>('GET', `${pathOf(spaces.listSpaces)}?${everything}`)
  for (const { members, ...space } of samples) {
    const found = data.find(({ displayName }) => displayName === space.displayName)
    if (!found) {
      const body = { ...space, clusterIds, members: await principalsOf(directory, members) }
      await leave(portal, await portal.call<Space>('POST', pathOf(spaces.createSpace), body))
    } else if (found.clusters.length === 0 && clusterIds.length > 0) {
      await portal.call('PUT', pathOf(spaces.updateSpace, { id: found.id }), { ...space, clusterIds })
    }
  }
}

/** Removes the client that filled the tenant from the space, which is left to the owner that the samples name. */
async function leave(portal: PortalClient, { id }: Space): Promise<void> {
  const path = pathOf(permissions.listPermissions, { id })
  const { data } = await portal.call<{ data: Permission[] }>('GET', path)
  const own = data.find(({ principal }) => principal.id === portal.userId)
  if (own) await portal.call('DELETE', pathOf(permissions.deletePermission, { id, pid: own.id }))
}

/** Uploads every version of the charts; a package that is there already changes nothing. */
export async function uploadCharts(portal: PortalClient, charts: SampleChart[]): Promise<void> {
  for (const versions of Map.groupBy(charts, ({ name }) => name).values()) {
    for (const { name, version, folder } of versions) {
      const form = new FormData()
      const bytes = new Uint8Array(await packChart(folder, name))
      form.set('file', new File([bytes], `${name}-${version}.tgz`, { type: 'application/gzip' }))
      await portal.call('POST', pathOf(catalog.upload), form)
    }
  }
  const { data } = await portal.call<ListReply<CatalogItem>>('GET', `${pathOf(catalog.listItems)}?${everything}`)
  for (const item of data) {
    const featured = charts.some((chart) => chart.name === item.name && chart.featured)
    if (featured && !item.featured) {
      await portal.call('PATCH', pathOf(catalog.setFeatured, { id: item.id, featured: 'true' }))
    }
  }
}
