import { readFileSync } from 'node:fs'
import { createServer as createTcpServer, type Server } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import type { Cluster } from '@quayside/contract/clusters/endpoints'
import type { ErrorReply } from '@quayside/contract/http/errors'
import { World } from '@quayside/embedded/world'
import { issueClientCertificate } from '@quayside/embedded-kubernetes/auth/certificates'
import { afterAll, beforeAll, expect, test } from 'vitest'

let world: World
let token: string
let own: string
const servers: Server[] = []
let ports: { silent: number; strange: number; closed: number }

async function listening(server: Server): Promise<number> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  servers.push(server)
  return (server.address() as { port: number }).port
}

async function closedPort(): Promise<number> {
  const server = createTcpServer()
  const port = await listening(server)
  await new Promise((done) => server.close(done))
  return port
}

beforeAll(async () => {
  const silent = await listening(createTcpServer(() => undefined))
  const strange = createTlsServer({ minVersion: 'TLSv1.2' })
  ports = { silent, strange: await listening(strange), closed: await closedPort() }
  const allowed = Object.values(ports).map((port) => `127.0.0.1:${port}`)
  world = await World.start({ env: { QUAYSIDE_ALLOWED_ADDRESSES: allowed.join(',') } })
  const { certificatePem, keyPem } = await issueClientCertificate(`${world.dataDir}/cluster`, 'stranger', [], 600)
  strange.setSecureContext({ cert: certificatePem, key: keyPem })
  token = await world.tokenFor({ realmRoles: ['quayside-admin'] })
  own = readFileSync(world.kubeconfig, 'utf8')
})
afterAll(async () => {
  await world?.close()
  for (const server of servers) server.close()
})

function register(server: string, displayName = 'Mine') {
  const kubeconfig = own.replace(/https:\/\/127\.0\.0\.1:\d+/, server)
  return world.api('/cluster/v1/clusters', { token, body: { displayName, kubeconfig } })
}

test('on the default start the Sandbox can be registered, and nothing else of this machine or its network', async () => {
  const { port } = new URL(world.url)
  const sandbox = Number(/https:\/\/127\.0\.0\.1:(\d+)/.exec(own)?.[1])
  const inside = [
    `https://127.0.0.1:${port}`,
    `https://127.0.0.1:${sandbox + 1}`,
    `https://localhost:${sandbox}`,
    `https://127.1:${Number(port)}`,
    `https://[::1]:${sandbox}`,
    'https://169.254.169.254',
    'https://10.0.0.1:6443',
    'https://[fd00:ec2::254]',
    'https://no-such-name.invalid',
  ]
  const said = new Set<string>()
  for (const server of inside) {
    const answer = await register(server)
    expect(answer.status, server).toBe(400)
    const { code, message } = (await answer.json()) as ErrorReply
    expect(code).toBe('cluster.kubeconfig-refused')
    said.add(message)
  }
  expect([...said]).toHaveLength(1)
  const made = await world.api('/cluster/v1/clusters', { token, body: { displayName: 'Here', kubeconfig: own } })
  expect(made.status, await made.clone().text()).toBe(201)
  expect(await made.json()).toMatchObject({ health: 'healthy' })
})

test('a closed port, a silent one and a stranger are one answer after one time, and none is quoted', async () => {
  const answers = await Promise.all(
    Object.values(ports).map(async (port) => {
      const since = performance.now()
      const made = (await (await register(`https://127.0.0.1:${port}`, `Mine ${port}`)).json()) as Cluster
      const first = performance.now() - since
      const again = performance.now()
      const look = await world.api(`/cluster/v1/clusters/${made.id}/healthCheck`, { token })
      return { made, first, checks: await look.json(), second: performance.now() - again }
    }),
  )
  expect([...new Set(answers.map(({ made }) => `${made.health} ${made.healthMessage}`))]).toEqual([
    'unreachable The cluster could not be reached.',
  ])
  expect(new Set(answers.map(({ checks }) => JSON.stringify(checks))).size).toBe(1)
  expect(JSON.stringify(answers)).not.toMatch(/certificate|ECONN|refused|timeout|within/i)
  for (const times of [answers.map(({ first }) => first), answers.map(({ second }) => second)]) {
    expect(Math.max(...times) - Math.min(...times)).toBeLessThan(1500)
    expect(Math.min(...times)).toBeGreaterThan(2900)
  }
  // The operator finds the calls that met each reason.
  const lines = readFileSync(`${world.dataDir}/portal.log`, 'utf8').split('\n')
  const reasons = lines.filter((line) => line.includes('a cluster cannot be reached')).map((line) => JSON.parse(line))
  const ids = { requestId: expect.any(String), tenantId: expect.any(String) }
  expect(reasons).toEqual(Object.keys(ports).map(() => expect.objectContaining(ids)))
})
