import type { Cluster } from '@quayside/contract/clusters/endpoints'
import type { HandedOutKubeconfig, Kubeconfig } from '@quayside/contract/clusters/kubeconfigs'
import type { Space } from '@quayside/contract/spaces/endpoints'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { realCluster } from '../attacked-cluster.ts'
import { type KubectlStage, kubectlStage } from '../kubectl-stage.ts'
import { grant, kubeconfigOf, kubeconfigsPath, member, newSpace, type Person, statusOf } from '../kubectl-user.ts'
import {
  type Attack,
  clusterAttacks,
  isolationAttacks,
  nodeAttacks,
  placeAttacks,
  podAttacks,
  rightAttacks,
  type Target,
  tokenAttacks,
  viewerAttacks,
} from './kubectl-attacks.ts'

/**
 * On the Sandbox; on a real API server with
 * `ATTACK=real npm run kube-apiserver -- npx vitest run --project http system-tests/security/gain-the-cluster`.
 */
const real = realCluster
const roles = ['viewer', 'deployer', 'manager'] as const
const promised = { timeout: 5000, interval: 100 }
/** Kubernetes' words for no; that a thing is not there is none. */
const refusal = /forbidden|violates PodSecurity|denied request|must be logged in|Unauthorized/i

let stage: KubectlStage
let admin: Person
let cluster: Cluster
let space: Space
let target: Target
const people = new Map<string, { who: Person; kubeconfig: Kubeconfig; account: string }>()

const kubeconfigBy = (role: string) => people.get(role)?.kubeconfig.kubeconfig ?? ''

/** Creates objects of another person in the space. */
async function furnish(): Promise<void> {
  const { namespace } = space
  const main = { name: 'main', image: 'nginx:1.27', env: [{ name: 'PASSWORD', value: 'hunter22' }] }
  const items = [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'worker', namespace } },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'shop', namespace },
      spec: { ports: [{ port: 80 }], selector: { app: 'a' } },
    },
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: { name: 'isolation', namespace },
      spec: { podSelector: {}, policyTypes: ['Ingress'] },
    },
    { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'own', namespace }, stringData: { a: 'b' } },
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'victim', namespace },
      spec: { serviceAccountName: 'worker', containers: [main] },
    },
  ]
  const made = await stage.kubectl(stage.clusterAdmin, 'apply -f -', { apiVersion: 'v1', kind: 'List', items })
  if (made.code !== 0) throw new Error(made.err)
}

beforeAll(async () => {
  stage = await kubectlStage(real)
  ;({ admin, cluster, space } = stage)
  const other = await newSpace(admin, [cluster.id])
  await kubeconfigOf(admin, other, cluster)
  for (const role of roles) {
    const who = await member(stage.world)
    await grant(admin, space, who, role)
    const kubeconfig = await kubeconfigOf(who, space, cluster)
    const [mine] = (await who.call<{ data: HandedOutKubeconfig[] }>(kubeconfigsPath)).body.data
    people.set(role, { who, kubeconfig, account: `kubeconfig-${mine?.id}` })
  }
  await furnish()
  target = { namespace: space.namespace, other: other.namespace, account: '' }
}, 120_000)
afterAll(() => stage?.close())

/** Every attack by each role; a line for each that was not refused as one. */
async function gained(by: readonly string[], attacks: (target: Target) => Attack[]): Promise<string[]> {
  const lines = await Promise.all(
    by.map(async (role) => {
      const own = { ...target, account: people.get(role)?.account ?? '' }
      const found: string[] = []
      for (const attack of attacks(own)) {
        const { code, out, err } = await stage.kubectl(kubeconfigBy(role), attack.args, attack.manifest)
        if (code === 0 || !refusal.test(err))
          found.push(`${role} could ${attack.name}: ${code} ${out}${err}`.slice(0, 400))
      }
      return found
    }),
  )
  return lines.flat()
}

const long = 240_000
const workers = ['deployer', 'manager']

describe('with a kubeconfig of any role, nobody', () => {
  it('makes tokens that outlive them, or acts as somebody else', { timeout: long }, async () => {
    expect(await gained(roles, tokenAttacks)).toEqual([])
  })
  it('reaches another place of the cluster', { timeout: long }, async () => {
    expect(await gained(roles, placeAttacks)).toEqual([])
  })
  it('gives rights, or takes part in how they are given', { timeout: long }, async () => {
    expect(await gained(roles, rightAttacks)).toEqual([])
  })
  it('weakens the isolation of the space, or comes between callers and the API server', { timeout: long }, async () => {
    expect(await gained(roles, isolationAttacks)).toEqual([])
    expect(await gained(roles, clusterAttacks)).toEqual([])
  })
  it('gets into a pod by a way around its container', { timeout: long }, async () => {
    expect(await gained(roles, podAttacks)).toEqual([])
  })
  it('gets out of a pod onto its node', { timeout: long }, async () => {
    expect(await gained(roles, nodeAttacks)).toEqual([])
  })
  it('holds a star, or a right on tokens', { timeout: long }, async () => {
    for (const role of roles) {
      const { out } = await stage.kubectl(kubeconfigBy(role), 'auth can-i --list')
      expect(out).toContain('configmaps')
      expect(out).not.toMatch(/^\*|\*\.\*|serviceaccounts\/token|impersonate|escalate|\bbind\b/m)
    }
  })
})

describe('a viewer', () => {
  it('sees no value in clear, and changes nothing', { timeout: long }, async () => {
    expect(await gained(['viewer'], viewerAttacks)).toEqual([])
    const { out } = await stage.kubectl(kubeconfigBy('viewer'), 'get services,configmaps,events -o yaml')
    expect(out).toContain('name: shop')
    expect(out).not.toContain('hunter22')
  })
})

describe('who may deploy', () => {
  it('still works in the space', { timeout: long }, async () => {
    for (const role of workers) {
      for (const args of [
        'get secret own',
        'get pod victim',
        `create configmap by-${role}`,
        `delete configmap by-${role}`,
      ])
        expect(await stage.kubectl(kubeconfigBy(role), args), `${role}: ${args}`).toMatchObject({ code: 0 })
    }
  })
})

describe('whoever was removed', () => {
  /** On a real API server a token is remembered for ten seconds; a right never is. */
  async function isShut(kubeconfig: Kubeconfig, begin: () => Promise<unknown>): Promise<void> {
    expect(await statusOf(kubeconfig, 'configmaps')).toBe(200)
    await begin()
    const begun = performance.now()
    await expect.poll(() => statusOf(kubeconfig, 'configmaps'), promised).toBeGreaterThan(400)
    console.info(`shut after ${Math.round(performance.now() - begun)} ms`)
    await expect.poll(() => statusOf(kubeconfig, 'configmaps'), { timeout: 15_000, interval: 250 }).toBe(401)
  }

  it('reads nothing five seconds after being disabled', { timeout: long }, async () => {
    const { who, kubeconfig } = people.get('manager') ?? {}
    if (!who || !kubeconfig) throw new Error('there is no manager')
    await isShut(kubeconfig, () => stage.directory.put(`/users/${who.id}`, { enabled: false }))
  })

  it('reads nothing five seconds after losing the role', { timeout: long }, async () => {
    const who = await member(stage.world)
    const entry = await grant(admin, space, who, 'deployer')
    await isShut(await kubeconfigOf(who, space, cluster), () =>
      admin.call(`/portal-api/v3/spaces/${space.id}/permissions/${entry.id}`, { method: 'DELETE' }),
    )
  })

  it('reads nothing five seconds after the space was deleted', { timeout: long }, async () => {
    const { kubeconfig } = people.get('viewer') ?? {}
    if (!kubeconfig) throw new Error('there is no viewer')
    await isShut(kubeconfig, () => admin.call(`/portal-api/v3/spaces/${space.id}`, { method: 'DELETE' }))
  })
})
