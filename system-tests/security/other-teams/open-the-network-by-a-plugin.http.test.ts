import { ApiException, ApiextensionsV1Api, CoreV1Api, CustomObjectsApi, KubeConfig } from '@kubernetes/client-node'
import type { App } from '@quayside/contract/apps/endpoints'
import { noReach } from '@quayside/contract/clusters/network-reach'
import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { attackedCluster } from '../attacked-cluster.ts'
import { type Team, type Teams, teamsOn } from '../team-with-charts.ts'

let world: World
let teams: Teams
let mine: Team

/** Kinds by which network plugins let pods reach more, draw traffic of others to them, or give them another network. */
const kinds = [
  [
    'cilium.io',
    'ciliumnetworkpolicies',
    'CiliumNetworkPolicy',
    { endpointSelector: {}, egress: [{ toEntities: ['all'] }] },
  ],
  [
    'cilium.io',
    'ciliumlocalredirectpolicies',
    'CiliumLocalRedirectPolicy',
    { redirectFrontend: { addressMatcher: { ip: '10.96.0.1' } } },
  ],
  [
    'crd.projectcalico.org',
    'networkpolicies',
    'NetworkPolicy',
    { order: 1, types: ['Egress'], egress: [{ action: 'Allow' }] },
  ],
  [
    'k8s.cni.cncf.io',
    'network-attachment-definitions',
    'NetworkAttachmentDefinition',
    { config: '{"type":"host-device"}' },
  ],
  [
    'network.openshift.io',
    'egressnetworkpolicies',
    'EgressNetworkPolicy',
    { egress: [{ type: 'Allow', to: { cidrSelector: '0.0.0.0/0' } }] },
  ],
] as const
type Kind = (typeof kinds)[number]
/** A kind that says in its status which pods have an address, and so what others let in. */
const endpoint = ['cilium.io', 'ciliumendpoints', 'CiliumEndpoint'] as const

beforeAll(async () => {
  world = await World.start({ cluster: attackedCluster, env: { QUAYSIDE_ALLOW_PRIVATE_ADDRESSES: 'true' } })
  teams = await teamsOn(world)
  for (const kind of [...kinds, endpoint]) await define(kind)
  mine = await teams.team()
})
afterAll(() => world?.close())

async function define([group, plural, kind]: readonly [string, string, string, ...unknown[]]) {
  const anything = { x_kubernetes_preserve_unknown_fields: true }
  const properties = {
    spec: { type: 'object', ...anything },
    specs: { type: 'array', items: { type: 'object', ...anything } },
    status: { type: 'object', ...anything },
  }
  const schema = { openAPIV3Schema: { type: 'object', properties } }
  await teams.kubeconfig.makeApiClient(ApiextensionsV1Api).createCustomResourceDefinition({
    body: {
      metadata: { name: `${plural}.${group}` },
      spec: {
        group,
        scope: 'Namespaced',
        names: { kind, plural },
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      },
    },
  })
}

const opening = ([group, plural, kind, spec]: Kind, name = plural) =>
  `apiVersion: ${group}/v1\nkind: ${kind}\nmetadata: {name: ${name}}\nspec: ${JSON.stringify(spec)}\n`

const open = (reaches: object) =>
  teams.admin.good(`/cluster/v1/clusters/${teams.cluster.id}/spaces/${mine.space.id}`, {
    method: 'PUT',
    body: { reaches },
  })

it.each(kinds)('a chart with an object of %s is refused by validation and not deployed: %s', async (...listed) => {
  const kind = listed as unknown as Kind
  const app = await teams.assign(mine)
  const found = await teams.validate(mine, app, opening(kind))
  expect(found.success).toBe(false)
  expect(found.lines.map(({ message }) => message)).toContainEqual(
    expect.stringMatching(`^${kind[2]} ${kind[1]} .*which this space may not`),
  )
  const { action } = await teams.deploy(mine, mine.story, app, opening(kind))
  expect(action?.state).toBe('Failed')
})

it('pods with every right on such a group make none of them, until the space may', async () => {
  const [kind] = kinds
  const [group, plural, name, spec] = kind
  const rights = `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: networks}
rules: [{apiGroups: ["${group}"], resources: ["*"], verbs: ["*"]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: networks}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: networks}
subjects: [{kind: ServiceAccount, name: default, namespace: "{{ .Release.Namespace }}"}]
`
  const app = await teams.assign(mine)
  expect(await teams.deploy(mine, mine.story, app, rights)).toMatchObject({ action: { state: 'Success' } })
  const { namespace } = mine.space
  const place = { group, version: 'v1', namespace, plural }
  const pod = await asPod()
  const body = (called: string, more: object = {}) => ({
    apiVersion: `${group}/v1`,
    kind: name,
    metadata: { name: called, namespace },
    spec: { ...spec, ...more },
  })
  expect(await answerOf(pod.createNamespacedCustomObject({ ...place, body: body('first') }))).toBe(403)

  await open({ ...noReach, chartPolicies: true })
  const policies = await teams.assign(mine)
  expect((await teams.validate(mine, policies, opening(kind))).success).toBe(true)
  expect(await teams.deploy(mine, mine.story, policies, opening(kind))).toMatchObject({ action: { state: 'Success' } })
  expect(await answerOf(pod.createNamespacedCustomObject({ ...place, body: body('first') }))).toBe('let in')

  await open(noReach)
  const found = await pod.getNamespacedCustomObject({ ...place, name: 'first' })
  const change = (more: object) =>
    answerOf(pod.replaceNamespacedCustomObject({ ...place, name: 'first', body: { ...found, ...more } }))
  expect(await change({ spec: { ...spec, description: 'other' } })).toBe(403)
  expect(await change({ specs: [spec] })).toBe(403)
  expect(await change({ status: { state: 'other' } })).toBe(403)
  const labelled = { metadata: { ...found.metadata, labels: { seen: 'yes' } } }
  expect(await change(labelled)).toBe(403)

  const [, endpoints, Endpoint] = endpoint
  const addresses = { ...place, plural: endpoints }
  const here = {
    apiVersion: `${group}/v1`,
    kind: Endpoint,
    metadata: { name: 'web-0', namespace },
    status: { identity: { id: 1234 }, networking: { addressing: [{ ipv4: '10.0.0.7' }] } },
  }
  const asPlugin = teams.kubeconfig.makeApiClient(CustomObjectsApi)
  await asPlugin.createNamespacedCustomObject({ ...addresses, body: here })
  const of = (await pod.getNamespacedCustomObject({ ...addresses, name: 'web-0' })) as typeof here
  const anothers = { ...of, status: { ...of.status, identity: { id: 1 } } }
  expect(await answerOf(pod.replaceNamespacedCustomObject({ ...addresses, name: 'web-0', body: anothers }))).toBe(403)
  // Objects that are there can still be deleted.
  const deployed = await mine.story.good<App>(`/portal-api/v2/apps/${policies.id}`)
  expect(await teams.act('Delete', { app: { id: deployed.id } })).toMatchObject({ state: 'Success' })
})

it('a plugin policy of who looks after the cluster is neither deleted by a pod, nor taken over by a chart', async () => {
  const [kind] = kinds
  const [group, plural, name, spec] = kind
  const { namespace } = mine.space
  const place = { group, version: 'v1', namespace, plural }
  const administrator = teams.kubeconfig.makeApiClient(CustomObjectsApi)
  const body = { apiVersion: `${group}/v1`, kind: name, metadata: { name: 'deny', namespace }, spec }
  await administrator.createNamespacedCustomObject({ ...place, body })
  const pod = await asPod()
  expect(await answerOf(pod.deleteNamespacedCustomObject({ ...place, name: 'deny' }))).toBe(403)
  await answerOf(pod.deleteCollectionNamespacedCustomObject(place))
  const found = await pod.getNamespacedCustomObject({ ...place, name: 'deny' })
  const annotations = { 'meta.helm.sh/release-name': 'mine', 'meta.helm.sh/release-namespace': namespace }
  const taken = { ...found, metadata: { ...found.metadata, annotations } }
  expect(await answerOf(pod.replaceNamespacedCustomObject({ ...place, name: 'deny', body: taken }))).toBe(403)
  expect(await answerOf(pod.deleteNamespacedCustomObject({ ...place, name: 'deny' }))).toBe(403)
  await administrator.deleteNamespacedCustomObject({ ...place, name: 'deny' })

  const elsewhere = {
    'meta.helm.sh/release-name': 'network-baseline',
    'meta.helm.sh/release-namespace': 'platform-system',
  }
  const baseline = { ...body, metadata: { name: 'baseline', namespace, annotations: elsewhere } }
  await administrator.createNamespacedCustomObject({ ...place, body: baseline })
  expect(await answerOf(pod.deleteNamespacedCustomObject({ ...place, name: 'baseline' }))).toBe(403)
  await answerOf(pod.deleteCollectionNamespacedCustomObject(place))
  const stays = await pod.getNamespacedCustomObject({ ...place, name: 'baseline' })
  const adopted = { ...stays, metadata: { ...stays.metadata, annotations } }
  expect(await answerOf(pod.replaceNamespacedCustomObject({ ...place, name: 'baseline', body: adopted }))).toBe(403)
  await administrator.deleteNamespacedCustomObject({ ...place, name: 'baseline' })
})

async function asPod() {
  const { status } = await teams.kubeconfig.makeApiClient(CoreV1Api).createNamespacedServiceAccountToken({
    namespace: mine.space.namespace,
    name: 'default',
    body: { spec: { audiences: [] } },
  })
  const server = teams.kubeconfig.getCurrentCluster()
  if (!server || !status) throw new Error('the cluster gave no token')
  const pod = new KubeConfig()
  pod.loadFromClusterAndUser(server, { name: 'pod', token: status.token })
  return pod.makeApiClient(CustomObjectsApi)
}
const answerOf = (call: Promise<unknown>) =>
  call.then(
    () => 'let in',
    (error: unknown) => (error instanceof ApiException ? error.code : error),
  )
