import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Cluster, Kubeconfig } from '@quayside/contract/cluster'
import type { ErrorReply } from '@quayside/contract/errors'
import type { Space } from '@quayside/contract/portal-api'
import { findProgram, runProgram } from '@quayside/embedded/conformance/programs'
import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, expect, it } from 'vitest'

let world: World
let cluster: Cluster
let space: Space
let other: Space
let admin: string
const folder = mkdtempSync(join(tmpdir(), 'kubeconfig-'))

async function call<T>(path: string, token: string, body?: unknown): Promise<{ status: number; body: T }> {
  const answer = await world.api(path, { token, body })
  return { status: answer.status, body: (await answer.json()) as T }
}

const makeSpace = async (displayName: string, clusterIds: string[]) =>
  (await call<Space>('/portal-api/v3/spaces', admin, { displayName, clusterIds })).body

beforeAll(async () => {
  world = await World.start({ cluster: { speed: 10 } })
  admin = await world.tokenFor({ realmRoles: ['quayside-admin'] })
  const kubeconfig = readFileSync(world.kubeconfig, 'utf8')
  const body = { displayName: 'Sandbox', iaas: { type: 'Sandbox' }, kubeconfig, clusterScoped: true }
  cluster = (await call<Cluster>('/cluster/v1/clusters', admin, body)).body
  space = await makeSpace('Shop', [cluster.id])
  other = await makeSpace('Elsewhere', [])
})
afterAll(async () => {
  await world?.close()
  rmSync(folder, { recursive: true, force: true })
})

async function kubeconfigOf(token: string) {
  const places = [{ spaceId: space.id, clusterId: cluster.id }]
  const { status, body } = await call<Kubeconfig>('/cluster/v1/kubeconfigs', token, { places })
  expect(status).toBe(200)
  return body
}

/** Runs the stock kubectl with a kubeconfig, as the person who downloaded it would. */
async function kubectl({ kubeconfig }: Kubeconfig, args: string) {
  const path = await findProgram('kubectl')
  if (!path) throw new Error('there is no kubectl here')
  const file = join(folder, 'config')
  writeFileSync(file, kubeconfig)
  return runProgram(path, args.split(' '), { KUBECONFIG: file, HOME: folder })
}

it('a person gets a kubeconfig of their own, in the namespace of the space and nowhere else', async () => {
  const mine = await kubeconfigOf(admin)
  expect(mine.role).toBe('edit')
  const left = Date.parse(mine.expiresAt) - Date.now()
  expect(left).toBeGreaterThan(55 * 60_000)
  expect(left).toBeLessThanOrEqual(60 * 60_000)
  expect((await kubectl(mine, 'create configmap mine --from-literal=a=1')).out).toBe('configmap/mine created\n')
  expect((await kubectl(mine, 'get configmap mine -o jsonpath={.metadata.namespace}')).out).toBe(space.namespace)
  const who = await kubectl(mine, 'auth whoami -o jsonpath={.status.userInfo.username}')
  expect(who.out).toMatch(new RegExp(`^system:serviceaccount:${space.namespace}:person-[0-9a-f]{16}$`))
  expect((await kubectl(mine, 'get pods -n kube-system')).err).toContain('is forbidden')
  expect((await kubectl(mine, 'get nodes')).err).toContain('is forbidden')
})

it('who may only look at deployments looks, but neither writes nor reads Secrets', async () => {
  const mine = await kubeconfigOf(await world.tokenFor({ realmRoles: ['quayside-viewer'] }))
  expect(mine.role).toBe('view')
  expect((await kubectl(mine, 'get configmaps')).out).toContain('kube-root-ca.crt')
  expect((await kubectl(mine, 'get secrets')).err).toContain('is forbidden')
  expect((await kubectl(mine, 'create configmap x')).err).toContain('is forbidden')
})

it('is refused for a space that one does not see, and for a cluster that the space does not have', async () => {
  const places = [{ spaceId: other.id, clusterId: cluster.id }]
  const nobody = await call<ErrorReply>('/cluster/v1/kubeconfigs', await world.tokenFor(), { places })
  expect(nobody).toMatchObject({ status: 404, body: { code: 'space.not-found' } })
  const stray = await call<ErrorReply>('/cluster/v1/kubeconfigs', admin, { places })
  expect(stray.body.code).toBe('cluster.not-in-space')
  const unknown = [{ spaceId: 'nothing', clusterId: cluster.id }]
  expect((await call<ErrorReply>('/cluster/v1/kubeconfigs', admin, { places: unknown })).body.code).toBe(
    'space.not-found',
  )
})
