import { readFileSync } from 'node:fs'
import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLogger } from '../../../platform/logging/logger.ts'
import { createKubernetes } from '../create-kubernetes.ts'
import type { ClusterConnection } from '../kubernetes.ts'
import { portalNamespace } from './portal-namespace.ts'
import { roleNames } from './space-rules.ts'

const clusterRoles = 'rbac.authorization.k8s.io/v1/clusterroles'
const first = { tenantId: 't1', clusterId: 'c1' }
const second = { tenantId: 't2', clusterId: 'c2' }
let world: World
let connection: ClusterConnection
const written: string[] = []

beforeAll(async () => {
  world = await World.start({ portal: false, identity: false, cluster: { speed: 10 } })
  const kubernetes = createKubernetes({ log: createLogger('silent') })
  connection = kubernetes.connect(readFileSync(world.kubeconfig, 'utf8'), { allowPrivateAddresses: true })
  const { apply } = connection
  connection.apply = (resource, object, options) => {
    written.push(`${resource} ${object.metadata.name}`)
    return apply(resource, object, options)
  }
})
afterAll(async () => {
  connection?.close()
  await world?.close()
})

describe('the namespace of the portal', () => {
  it('is made with the roles of spaces, and written again only where something differs', async () => {
    await connection.ensurePortalNamespace(first)
    const namespace = await connection.get('v1/namespaces', undefined, portalNamespace)
    expect(namespace?.metadata.labels).toMatchObject({ 'pod-security.kubernetes.io/enforce': 'restricted' })
    for (const name of Object.values(roleNames))
      expect((await connection.get(clusterRoles, undefined, name))?.rules).not.toHaveLength(0)
    written.length = 0
    await connection.ensurePortalNamespace(first)
    expect(written).toEqual([])

    const viewer = await connection.get(clusterRoles, undefined, roleNames.viewer)
    if (!viewer) throw new Error('there is no role')
    await connection.replace(clusterRoles, { ...viewer, rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] })
    await connection.ensurePortalNamespace(first)
    expect(written).toEqual([`${clusterRoles} ${roleNames.viewer}`])
    expect((await connection.get(clusterRoles, undefined, roleNames.viewer))?.rules).toEqual(viewer.rules)
  })

  it('keeps the groups that one release asked for when another asks for more', async () => {
    const asks = ['one.example.com', 'two.example.com', 'three.example.com']
    await Promise.all(asks.map((group) => connection.ensurePortalNamespace(first, { coming: [group] })))
    const role = await connection.get(clusterRoles, undefined, roleNames.account)
    expect(JSON.stringify(role?.rules)).toMatch(/one\.example\.com.*three\.example\.com.*two\.example\.com/)
    await connection.ensurePortalNamespace(first)
    expect(await connection.get(clusterRoles, undefined, roleNames.account)).toEqual(role)
  })

  it('goes with the last registration that uses it', async () => {
    await connection.ensurePortalNamespace(second)
    await connection.leavePortalNamespace(first)
    expect(await connection.get('v1/namespaces', undefined, portalNamespace)).toBeDefined()
    await connection.leavePortalNamespace(second)
    await expect
      .poll(() => connection.get('v1/namespaces', undefined, portalNamespace), { timeout: 10_000 })
      .toBeUndefined()
    for (const name of Object.values(roleNames))
      expect(await connection.get(clusterRoles, undefined, name)).toBeUndefined()
    await connection.leavePortalNamespace(second)
  })
})
