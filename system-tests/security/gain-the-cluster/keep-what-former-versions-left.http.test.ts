import type { Cluster } from '@quayside/contract/clusters/endpoints'
import type { SpaceOnCluster } from '@quayside/contract/clusters/rules'
import type { Space } from '@quayside/contract/spaces/endpoints'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { realCluster } from '../attacked-cluster.ts'
import { type KubectlStage, kubectlStage } from '../kubectl-stage.ts'
import { kubeconfigOf, newSpace, type Person } from '../kubectl-user.ts'

let stage: KubectlStage
let admin: Person
let cluster: Cluster
let space: Space
let other: Space

beforeAll(async () => {
  stage = await kubectlStage(realCluster)
  ;({ admin, cluster, space } = stage)
  other = await newSpace(admin, [cluster.id])
  for (const one of [space, other]) await kubeconfigOf(admin, one, cluster)
  for (const one of [space, other]) await kubectl(`create serviceaccount worker -n ${one.namespace}`)
}, 60_000)
afterAll(() => stage?.close())

/** Runs kubectl as the administrator of the cluster, or with a kubeconfig. */
const kubectl = (args: string, { manifest, kubeconfig }: { manifest?: unknown; kubeconfig?: string } = {}) =>
  stage.kubectl(kubeconfig ?? stage.clusterAdmin, args, manifest)

const tokenSecret = (name: string, namespace: string) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace, annotations: { 'kubernetes.io/service-account.name': 'worker' } },
  type: 'kubernetes.io/service-account-token',
})

/** A change of the cluster's settings makes the portal do at once the work that it does every few minutes. */
let round = 0
async function reconciled(): Promise<void> {
  round += 1
  const body = { ingressNamespaces: [`ingress-${round}`] }
  expect((await admin.call(`/cluster/v1/clusters/${cluster.id}`, { method: 'PUT', body })).status).toBeLessThan(300)
}

const elevatedBy = async (one: Space) => {
  const { body } = await admin.call<{ data: SpaceOnCluster[] }>(`/cluster/v1/clusters/${cluster.id}/spaces`)
  return body.data.find((each) => each.space.id === one.id)?.elevatedBy
}

describe('what versions before left in spaces', () => {
  it('tokens without an end that no release brings are removed', async () => {
    await kubectl('create -f -', { manifest: tokenSecret('lasting', space.namespace) })
    await kubectl(`create secret generic own -n ${space.namespace} --from-literal=a=b`)
    const names = async () => (await kubectl(`get secrets -n ${space.namespace} -o name`)).out
    expect(await names()).toContain('secret/lasting')
    await reconciled()
    await expect.poll(names, { timeout: 15_000, interval: 100 }).not.toContain('secret/lasting')
    expect(await names()).toContain('secret/own')
  }, 40_000)

  it('a binding on the whole cluster to an account of a space makes it elevated, until it goes', async () => {
    expect((await kubeconfigOf(admin, space, cluster)).role).toBe('manager')
    const account = `${space.namespace}:worker`
    await kubectl(`create clusterrolebinding former --clusterrole=view --serviceaccount=${account}`)
    await reconciled()
    const named = [{ id: '', displayName: 'ClusterRoleBinding former' }]
    await expect.poll(() => elevatedBy(space), { timeout: 15_000, interval: 100 }).toEqual(named)
    expect(await elevatedBy(other)).toEqual([])
    expect((await kubeconfigOf(admin, space, cluster)).role).toBe('viewer')
    expect((await kubeconfigOf(admin, other, cluster)).role).toBe('manager')
    await kubectl('delete clusterrolebinding former')
    await reconciled()
    await expect.poll(() => elevatedBy(space), { timeout: 15_000, interval: 100 }).toEqual([])
  }, 60_000)
})

describe('an account of a space that may write Secrets', () => {
  it('makes none with a token without an end', async () => {
    const { namespace } = other
    await kubectl(`create rolebinding writer -n ${namespace} --clusterrole=edit --serviceaccount=${namespace}:worker`)
    const token = (await kubectl(`create token worker -n ${namespace}`)).out.trim()
    const config = JSON.parse((await kubectl('config view --raw --minify -o json')).out)
    config.users[0].user = { token }
    const kubeconfig = JSON.stringify(config)
    const own = await kubectl(`create secret generic mine -n ${namespace} --from-literal=a=b`, { kubeconfig })
    expect(own.out).toBe('secret/mine created\n')
    const lasting = await kubectl('create -f -', { kubeconfig, manifest: tokenSecret('mine-for-ever', namespace) })
    expect(lasting.err).toContain('Tokens without an end are not made in spaces')
  }, 30_000)
})
