import { expect, it } from 'vitest'
import type { ClusterConnection, KubeObject } from '../../../adapters/kubernetes/kubernetes.ts'
import type { AppPlace } from '../ports.ts'
import { createAppScopes, type ScopeDeps } from './app-scope.ts'
import { createReleases } from './releases.ts'

const hour = 3_600_000
const minute = 60_000
const app = { namespace: 'n', releaseName: 'web', clusterId: 'c', state: 'healthy' } as unknown as AppPlace

/** A cluster whose clock is off, in which a Helm began to write this long ago. */
function connectionOf(offMs: number, agoMs: number): ClusterConnection {
  const creationTimestamp = new Date(Date.now() + offMs - agoMs).toISOString()
  const secret = { metadata: { creationTimestamp } } as KubeObject
  return { now: () => Date.now() + offMs, list: async () => [secret] } as unknown as ClusterConnection
}

async function lockIn(connection: ClusterConnection) {
  const release = { revision: 1, status: 'pending-install' }
  const releases = {
    ...createReleases(),
    newest: async () => {
      const [secret] = await connection.list('v1/secrets')
      const changedAt = Date.parse(secret?.metadata.creationTimestamp ?? '')
      return { release, objects: [], hooks: [], changedAt, history: [] }
    },
  } as unknown as ScopeDeps['releases']
  const watchCaches = { current: () => ({ of: () => [] }) } as unknown as ScopeDeps['watchCaches']
  const rest = { ports: {}, connections: {} } as unknown as Pick<ScopeDeps, 'ports' | 'connections'>
  const scopes = createAppScopes({ ...rest, releases, watchCaches, deadAfterSeconds: 600 })
  return (await scopes.read(app, connection)).lock
}

it.each([-hour, 0, hour])(
  'a foreign Helm lives or seems dead by the clock of its cluster, which is off by %i ms',
  async (off) => {
    expect(await lockIn(connectionOf(off, minute))).toMatchObject({ isDead: false })
    expect(await lockIn(connectionOf(off, 11 * minute))).toMatchObject({ isDead: true })
  },
)
