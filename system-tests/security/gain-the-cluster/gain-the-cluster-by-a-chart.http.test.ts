import type { App } from '@quayside/contract/apps/endpoints'
import type { Action } from '@quayside/contract/deployments/endpoints'
import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { attackedCluster } from '../attacked-cluster.ts'
import { type Team, type Teams, teamsOn } from '../team-with-charts.ts'
import { bound, everything, neverReady, rbacVersion, readsNodes, role } from './charts-that-reach-out.ts'

let world: World
let teams: Teams
let core: Teams['clients']['core']
let rbac: Teams['clients']['rbac']
let net: Teams['clients']['net']
let team: Team
let other: Team
const secret = 'nobody-else-reads-this'

beforeAll(async () => {
  world = await World.start({
    cluster: attackedCluster,
    env: { QUAYSIDE_DEPLOY_TIMEOUT_SECONDS: '20', QUAYSIDE_ALLOW_PRIVATE_ADDRESSES: 'true' },
  })
  teams = await teamsOn(world)
  ;({ core, rbac, net } = teams.clients)
  team = await teams.team()
  other = await teams.team()
  // Their namespaces and accounts are there.
  for (const one of [team, other]) {
    const { action } = await teams.deploy(one, one.story, await teams.assign(one), map('first'))
    expect(action).toMatchObject({ state: 'Success' })
  }
  const namespaces = ['kube-system', other.space.namespace, 'quayside-system']
  for (const namespace of namespaces)
    await core.createNamespacedSecret({ namespace, body: { metadata: { name: 'kept' }, stringData: { key: secret } } })
})
afterAll(() => world?.close())

const map = (name: string, data = '{}') => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\ndata: ${data}\n`
const boundTo = (subject: string, kind = 'ClusterRoleBinding', to = 'all') =>
  bound('all', to)
    .replace('kind: ClusterRoleBinding', `kind: ${kind}`)
    .replace(/subjects: .*/, `subjects: [${subject}]`)

const names = async (list: Promise<{ items: { metadata?: { name?: string } }[] }>) =>
  (await list).items.map(({ metadata }) => metadata?.name ?? '')
const clusterRoles = () => names(rbac.listClusterRole())
const actionRights = async () =>
  [...(await clusterRoles()), ...(await names(rbac.listClusterRoleBinding()))].filter((name) =>
    name.startsWith('quayside:action:'),
  )
const mapData = async (name: string) =>
  (await core.readNamespacedConfigMap({ name, namespace: team.space.namespace })).data ?? {}

/** Deploys as the team, which nobody has approved anything for. */
async function attempt(objects: string, by = team): Promise<{ app: App; state: string | undefined; says: string }> {
  const app = await teams.assign(by)
  const { action } = await teams.deploy(by, by.story, app, objects)
  return { app, state: action?.state, says: JSON.stringify(action) }
}

async function approved(objects: string, by = team): Promise<App> {
  const app = await teams.assign(by)
  await teams.approve(by, app, objects)
  return app
}

describe('a chart that looks around', () => {
  const look = (namespace: string) =>
    map('looked', `{found: {{ lookup "v1" "Secret" "${namespace}" "kept" | toJson | quote }}}`)

  test.each(['kube-system', 'quayside-system', 'another space'])(
    'reads no Secret of %s, in whatever step',
    async (of) => {
      const namespace = of === 'another space' ? other.space.namespace : of
      const app = await teams.assign(team)
      const seen = JSON.stringify(await teams.validate(team, app, look(namespace)))
      const { action } = await teams.deploy(team, team.story, app, look(namespace))
      const encoded = Buffer.from(secret).toString('base64')
      const after = JSON.stringify([seen, action, await mapData('looked').catch(() => ({}))])
      expect(after).not.toContain(secret)
      expect(after).not.toContain(encoded)
      // The cluster refuses even the question.
      expect(action?.state).toBe('Failed')
      expect(JSON.stringify(action)).toContain('cannot get resource')
    },
  )

  test('sees its own space, namespace and Secrets', async () => {
    const own = map('own', '{found: {{ lookup "v1" "Namespace" "" .Release.Namespace | toJson | quote }}}')
    expect((await attempt(own)).state).toBe('Success')
    expect((await mapData('own')).found).toContain(`"name":"${team.space.namespace}"`)
  })
})

describe('a chart that gives itself rights', () => {
  test.each([
    ['binds cluster-admin', () => bound('all', 'cluster-admin')],
    ['makes a role of everything', () => role('all', everything) + bound('all')],
    [
      'hides a role in what passes for a list by its items alone',
      () => `${map('x')}items: [{${rbacVersion}, kind: ClusterRole, metadata: {name: all}, rules: [${everything}]}]\n`,
    ],
    ['makes tokens of others', () => role('all', '{apiGroups: [""], resources: ["*"], verbs: ["*"]}') + bound('all')],
    [
      'makes an object in the portal’s namespace',
      () => map('x').replace('{name: x}', '{name: x, namespace: quayside-system}'),
    ],
    [
      'binds somebody in another space',
      () =>
        bound('x', 'view')
          .replace('ClusterRoleBinding', 'RoleBinding')
          .replace('{name: x}', `{name: x, namespace: ${other.space.namespace}}`),
    ],
    [
      'gives the account of the portal for its space a role, under its name as a user',
      () =>
        role('all', readsNodes) +
        boundTo(`{kind: User, name: "system:serviceaccount:quayside-system:space-${team.space.id}"}`),
    ],
    [
      'gives an account of another space a role',
      () =>
        role('all', readsNodes) + boundTo(`{kind: ServiceAccount, name: default, namespace: ${other.space.namespace}}`),
    ],
    [
      'lets a person into its space for good',
      () => boundTo('{kind: User, name: ines}', 'RoleBinding', 'quayside:deployer'),
    ],
  ])('%s: refused by name, in words, for whatever approval', async (_, objects) => {
    const { app, state, says } = await attempt(objects())
    expect(state).toBe('Failed')
    expect(says).toContain('nobody can approve it')
    expect((await teams.ask(team, app, objects())).status).toBe(409)
    expect(await clusterRoles()).not.toContain('all')
  })

  test('in bytes that Helm reads as text: is not asked for, and not made', async () => {
    const hidden = '{apiGroups: ["", !!binary Kg==], resources: [nodes, !!binary Kg==], verbs: [get, !!binary Kg==]}'
    const objects = role('bytes', hidden) + bound('bytes')
    const { app, state, says } = await attempt(objects)
    const message = expect.stringContaining('written in a way that cannot be checked')
    expect([state, says]).toEqual(['Failed', message])
    expect(await teams.ask(team, app, objects)).toMatchObject({
      status: 409,
      body: { code: 'approval.refused', message },
    })
    const { provider, lines } = await teams.validate(team, app, objects)
    expect([provider, lines.at(-1)]).toEqual(['Policy', expect.objectContaining({ resultType: 'error', message })])
    expect(await clusterRoles()).not.toContain('bytes')
  })

  test('behind a line break that Helm alone sees: is not asked for, and not made', async () => {
    const split = `${role('split', readsNodes).trimEnd()} # {{ printf "%c" 8232 }}rules: [${everything}]\n${bound('split')}`
    const { app, state, says } = await attempt(split)
    expect([state, says]).toEqual(['Failed', expect.stringContaining('written in a way that cannot be checked')])
    expect((await teams.ask(team, app, split)).status).toBe(409)
    expect(await clusterRoles()).not.toContain('split')
  })

  test('is refused by the cluster itself, where it is a role of the space', async () => {
    const inSpace = `${role('mine', everything).replaceAll('ClusterRole', 'Role')}`
    const { state, says } = await attempt(inSpace)
    expect([state, says]).toEqual([
      'Failed',
      expect.stringContaining('attempting to grant RBAC permissions not currently held'),
    ])
  })

  test('binds no role of the cluster in its own namespace, also when the list lets its action reach outside', async () => {
    const listed = 'apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: harmless}\nvalue: -5\n'
    expect((await attempt(listed)).state).toBe('Success')
    const inSpace = bound('boss', 'cluster-admin').replace('ClusterRoleBinding', 'RoleBinding')
    const { state, says } = await attempt(listed.replace('harmless', 'harmless-too') + inSpace)
    expect([state, says]).toEqual(['Failed', expect.stringContaining('attempting to grant RBAC permissions')])
    const bindings = await rbac.listNamespacedRoleBinding({ namespace: team.space.namespace })
    expect(bindings.items.map(({ roleRef }) => roleRef.name)).not.toContain('cluster-admin')
    expect(await actionRights()).toEqual([])
  })

  test.each([
    ['secrets of the core', '', 'secrets', '/v1', 409],
    ['policies of other spaces', 'networking.k8s.io', 'networkpolicies', 'networking.k8s.io/v9', 409],
  ])(
    'reaches for %s by a definition of its own: refused by name, for whatever approval',
    async (_, group, plural, of, status) => {
      const annotations = '{api-approved.kubernetes.io: "unapproved, x"}'
      const names = `{kind: IngressClass, plural: ${plural}, singular: ic}`
      const version = '{name: v9, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}'
      const objects = `---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ${plural}.${group || 'example.com'}, annotations: ${annotations}}
spec: {group: "${group}", scope: Cluster, names: ${names}, versions: [${version}]}
---
apiVersion: ${of}
kind: IngressClass
metadata: {name: quayside-space}
`
      const { app, state, says } = await attempt(objects, other)
      expect([state, says]).toEqual(['Failed', expect.stringMatching(/nobody can approve it|cannot be checked/)])
      expect((await teams.ask(other, app, objects)).status).toBe(status)
      const { namespace } = other.space
      const policies = await net.listNamespacedNetworkPolicy({ namespace })
      expect(policies.items.map(({ metadata }) => metadata?.name)).toEqual(['quayside-space'])
    },
  )

  test('gets nothing that nobody has approved', async () => {
    const { state, says } = await attempt(role('reads', readsNodes) + bound('reads'))
    expect([state, says]).toEqual(['Failed', expect.stringContaining('Ask for approval')])
    expect(await clusterRoles()).not.toContain('reads')
  })
})

describe('what was approved', () => {
  const objects = (name: string) => role(name, readsNodes) + bound(name)

  test('is made by the deployment that was asked for, whose rights are gone when it has ended', async () => {
    const app = await approved(objects('approved'))
    const { action } = await teams.deploy(team, team.story, app, objects('approved'))
    expect(JSON.stringify(action)).toContain('Success')
    expect(await clusterRoles()).toContain('approved')
    expect(await actionRights()).toEqual([])
    const account = { kind: 'ServiceAccount', name: `space-${team.space.id}`, namespace: 'quayside-system' }
    const subjects = (await rbac.listClusterRoleBinding()).items.flatMap((one) => one.subjects ?? [])
    expect(subjects).not.toContainEqual(expect.objectContaining(account))
  })

  test('makes its space one where others deploy with a right of its own, until it is deleted', async () => {
    const by = await teams.team()
    const app = await approved(objects('elevating'), by)
    const first = await teams.deploy(by, by.story, app, objects('elevating'))
    expect(JSON.stringify(first.action)).toContain('"state":"Success"')
    // A job of the space would run with the rights of every account there.
    const job = `apiVersion: batch/v1\nkind: Job\nmetadata: {name: thief}\nspec: {template: {spec: {restartPolicy: Never, containers: [{name: a, image: b}]}}}\n`
    const { status, state, says } = { status: 0, ...(await attempt(job, by)) }
    expect([status, state]).toEqual([0, 'Failed'])
    expect(says).toContain('space.deploy.elevated')
    // An editor of the cluster may deploy there.
    const theirs = await teams.assign(by)
    expect((await teams.deploy(by, teams.admin, theirs, map('theirs'))).action).toMatchObject({ state: 'Success' })
    expect(await teams.act('Delete', { app: { id: app.id } })).toMatchObject({ state: 'Success' })
    expect(await clusterRoles()).not.toContain('elevating')
    expect((await attempt(map('again'), by)).state).toBe('Success')
  })

  test('is taken back at once when charts may make nothing outside of spaces any more, also in the middle of an action', async () => {
    const by = await teams.team()
    // It waits for a pod that never becomes ready, and holds its rights as long.
    const waits = objects('waiting') + neverReady
    const app = await approved(waits, by)
    const running = teams.deploy(by, by.story, app, waits)
    await expect.poll(actionRights, { timeout: 20_000 }).not.toEqual([])
    const path = `/cluster/v1/clusters/${teams.cluster.id}`
    try {
      await teams.admin.good(path, { method: 'PUT', body: { clusterScoped: false } })
      expect(await actionRights()).toEqual([])
      expect((await running).action?.state).toBe('Failed')
      expect(await actionRights()).toEqual([])
      const later = await teams.validate(by, await teams.assign(by), objects('later'))
      expect(later.outside?.needs.map(({ verdict }) => verdict)).toEqual(['never', 'never'])
    } finally {
      await teams.admin.good(path, { method: 'PUT', body: { clusterScoped: true } })
    }
  })

  test('is taken back from an action whose portal was killed', async () => {
    const by = await teams.team()
    const waits = objects('killed') + neverReady
    const app = await approved(waits, by)
    const running = teams.deploy(by, by.story, app, waits).catch(() => undefined)
    await expect.poll(actionRights, { timeout: 20_000 }).not.toEqual([])
    await world.restartPortal('SIGKILL')
    await running
    const atWork = async () =>
      (await teams.admin.good<{ data: Action[] }>('/deployment/v1/actions')).data.filter((action) => action.running)
        .length
    // Somebody takes it up, tries once more with rights of its own, and has none when it is over.
    await expect.poll(atWork, { timeout: 120_000, interval: 500 }).toBe(0)
    expect(await actionRights()).toEqual([])
  }, 150_000)

  test('is stopped when it renders to something else, with nothing made', async () => {
    // The account may read its own space: what lies there makes the chart another one.
    const turning = `{{- $was := lookup "v1" "ConfigMap" .Release.Namespace "turn" }}${role(
      'turning',
      readsNodes,
    ).replace('[nodes]', '[{{ if $was }}secrets{{ else }}nodes{{ end }}]')}${bound('turning')}`
    const by = await teams.team()
    expect((await attempt(map('turn'), by)).state).toBe('Success')
    const app = await approved(turning, by)
    const { action } = await teams.deploy(by, by.story, app, turning)
    expect(action?.state).toBe('Failed')
    expect(JSON.stringify(action)).toContain('is not what was checked before')
    expect(await clusterRoles()).not.toContain('turning')
    expect(await actionRights()).toEqual([])
  })
})

describe('what was let be under a name', () => {
  test('is refused with another content than was approved', async () => {
    const policy = (ingress: string) =>
      `apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: peek, namespace: default}\nspec: {podSelector: {}, policyTypes: [Ingress], ingress: ${ingress}}\n`
    const by = await teams.team()
    const app = await approved(policy('[]'), by)
    const { action } = await teams.deploy(by, by.story, app, policy('[{}]'))
    expect(action?.state).toBe('Failed')
    expect(JSON.stringify(action)).toContain('Ask for approval')
    expect(await names(net.listNamespacedNetworkPolicy({ namespace: 'default' }))).not.toContain('peek')
  })

  test('is no role that adds to the roles of everybody', async () => {
    const rules = `/cluster/v1/clusters/${teams.cluster.id}/rules`
    const body = { group: 'rbac.authorization.k8s.io', kind: 'ClusterRole' }
    const { id } = await teams.admin.good<{ id: string }>(rules, { body })
    try {
      const by = await teams.team()
      const label = 'labels: {rbac.authorization.k8s.io/aggregate-to-view: "true"}'
      const adding = role('adding', readsNodes).replace('{name: adding}', `{name: adding, ${label}}`)
      const verdicts = async (objects: string) =>
        (await teams.validate(by, await teams.assign(by), objects)).outside?.needs.map(({ verdict }) => verdict)
      expect(await verdicts(role('adding', readsNodes))).toEqual(['rule'])
      expect(await verdicts(adding)).toEqual(['ask'])
      expect((await attempt(adding, by)).state).toBe('Failed')
      expect(await clusterRoles()).not.toContain('adding')
    } finally {
      expect((await teams.admin.call(`${rules}/${id}`, { method: 'DELETE' })).status).toBeLessThan(300)
    }
  })
})

describe('a pod that reaches for its node', () => {
  const pod = (spec: string) => `apiVersion: apps/v1
kind: Deployment
metadata: {name: reaching}
spec:
  selector: {matchLabels: {a: b}}
  template: {metadata: {labels: {a: b}}, spec: ${spec}}
`
  test.each([
    ['privileged', '{containers: [{name: a, image: b, securityContext: {privileged: true}}]}'],
    ['hostPID', '{hostPID: true, containers: [{name: a, image: b}]}'],
    ['hostPath', '{containers: [{name: a, image: b}], volumes: [{name: v, hostPath: {path: /}}]}'],
  ])('%s: is told by validation, and the cluster takes no such pod', async (what, spec) => {
    // The first team's space has rights on the cluster by now, and validation says that before anything else.
    const found = await teams.validate(other, await teams.assign(other), pod(spec))
    expect(found.success).toBe(false)
    expect(found.lines.map(({ message }) => message).join('\n')).toMatch(new RegExp(`Pod Security.*${what}|${what}`))
    const namespace = other.space.namespace
    const direct = core.createNamespacedPod({ namespace, body: { metadata: { name: 'direct' }, spec: podOf(what) } })
    await expect(direct).rejects.toThrow('violates PodSecurity')
  })

  test('is held to more where the space is restricted: validation tells it, and nothing of it is deployed', async () => {
    const by = await teams.team()
    const path = `/cluster/v1/clusters/${teams.cluster.id}/spaces/${by.space.id}`
    const hardened =
      '{containers: [{name: a, image: b, securityContext: {runAsNonRoot: true, allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}, seccompProfile: {type: RuntimeDefault}}}]}'
    const plain = '{containers: [{name: a, image: b}]}'
    expect((await attempt(map('there'), by)).state).toBe('Success')
    // The level that every space begins with takes it.
    expect((await teams.validate(by, await teams.assign(by), pod(plain))).success).toBe(true)
    await teams.admin.good(path, { method: 'PUT', body: { podSecurity: 'restricted' } })
    const found = await teams.validate(by, await teams.assign(by), pod(plain.replace('b}', 'b:1}')))
    expect(found).toMatchObject({ success: false, provider: 'Cluster' })
    const said = found.lines.map(({ message }) => message).join('\n')
    expect(said).toMatch(/runAsNonRoot/)
    expect(said).toMatch(/allowPrivilegeEscalation/)
    const refused = await attempt(pod(plain.replace('b}', 'b:2}')), by)
    expect([refused.state, refused.says]).toEqual(['Failed', expect.stringMatching(/runAsNonRoot|restricted/)])
    const { namespace } = by.space
    const direct = core.createNamespacedPod({ namespace, body: { metadata: { name: 'direct' }, spec: { containers } } })
    await expect(direct).rejects.toThrow('violates PodSecurity')
    expect((await attempt(pod(hardened).replaceAll('reaching', 'hardened'), by)).state).toBe('Success')
  })

  test('is let in by who edits the cluster, for one space on one cluster, at once', async () => {
    const by = await teams.team()
    const app = await teams.assign(by)
    const onNode = pod('{hostPID: true, containers: [{name: a, image: b}]}')
    expect((await attempt(map('there'), by)).state).toBe('Success')
    expect((await teams.validate(by, app, onNode)).success).toBe(false)
    const path = `/cluster/v1/clusters/${teams.cluster.id}/spaces/${by.space.id}`
    const body = { podSecurity: 'privileged', network: 'open' }
    expect((await by.story.call(path, { method: 'PUT', body })).status).toBe(403)
    const policies = () => net.listNamespacedNetworkPolicy({ namespace: by.space.namespace })
    expect(await names(policies())).toEqual(['quayside-space'])
    expect(await teams.admin.good(path, { method: 'PUT', body })).toMatchObject({ ...body, applied: true })
    expect(await names(policies())).toEqual([])
    const { metadata } = await core.readNamespace({ name: by.space.namespace })
    expect(metadata?.labels?.['pod-security.kubernetes.io/enforce']).toBe('privileged')
    // Validation does not repeat what it said a moment ago.
    expect((await teams.validate(by, app, onNode)).success).toBe(true)
    expect((await attempt(onNode, by)).state).toBe('Success')
  })
})

const containers = [{ name: 'a', image: 'b' }]
const podOf = (what: string) =>
  what === 'privileged'
    ? { containers: [{ name: 'a', image: 'b', securityContext: { privileged: true } }] }
    : what === 'hostPID'
      ? { hostPID: true, containers }
      : { containers, volumes: [{ name: 'v', hostPath: { path: '/' } }] }
