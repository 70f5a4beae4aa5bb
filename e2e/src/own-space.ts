import type { Permission, PermissionInput } from '@quayside/contract/permissions/permission-entry'
import type { Script } from './script.ts'

/** A member of a space by the name that people and groups are shown with. */
type Member = Pick<PermissionInput, 'role'> & { name: string; owner?: boolean }

/** Makes a space of a story alone on the sample cluster, with these members and nobody else. */
export async function ownSpace(script: Script, displayName: string, members: Member[]) {
  const { clusters } = await script.spaceNamed('Telemetry')
  const principalOf = async (name: string) => {
    const path = `/portal-api/v3/principals?search=${encodeURIComponent(name)}`
    const { data } = await script.call<{ data: (PermissionInput['principal'] & { name: string })[] }>(path)
    const found = data.find((one) => one.name === name)
    if (!found) throw new Error(`nobody is called ${name}`)
    return { type: found.type, id: found.id }
  }
  const list = await Promise.all(
    members.map(async ({ name, ...entry }) => ({ ...entry, principal: await principalOf(name) })),
  )
  const body = { displayName, clusterIds: [clusters[0]?.id], members: list }
  const space = await script.call<{ id: string }>('/portal-api/v3/spaces', body)
  const path = `/portal-api/v3/spaces/${space.id}/permissions`
  const { data } = await script.call<{ data: Permission[] }>(path)
  const maker = data.find(({ principal }) => !list.some((entry) => entry.principal.id === principal.id))
  // The maker of a space owns it: the story is to be about its members alone.
  if (list.some(({ owner }) => owner)) await script.call(`${path}/${maker?.id}`, undefined, 'DELETE')
  return { id: space.id, clusterId: clusters[0]?.id ?? '' }
}
