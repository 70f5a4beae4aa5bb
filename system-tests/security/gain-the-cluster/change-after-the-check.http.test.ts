import { KubeConfig, RbacAuthorizationV1Api } from '@kubernetes/client-node'
import type { App } from '@quayside/contract/apps/endpoints'
import type { Leftover } from '@quayside/contract/clusters/leftovers'
import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { attackedCluster } from '../attacked-cluster.ts'
import { type Team, type Teams, teamsOn } from '../team-with-charts.ts'
import { late, rbacVersion, role } from './charts-that-reach-out.ts'

let world: World
let teams: Teams
let core: Teams['clients']['core']
let rbac: Teams['clients']['rbac']
let admission: Teams['clients']['admission']
let team: Team

beforeAll(async () => {
  world = await World.start({ cluster: attackedCluster, env: { QUAYSIDE_ALLOW_PRIVATE_ADDRESSES: 'true' } })
  teams = await teamsOn(world)
  ;({ core, rbac, admission } = teams.clients)
  team = await teams.team()
})
afterAll(() => world?.close())

/** Deploys, as an editor of the cluster, what was approved before. */
async function deployed(app: App, objects: string): Promise<App> {
  await teams.approve(team, app, objects)
  const { action } = await teams.deploy(team, teams.admin, app, objects)
  expect(JSON.stringify(action)).toContain('"state":"Success"')
  return teams.admin.good<App>(`/portal-api/v2/apps/${app.id}`)
}

describe('a rollback', () => {
  const roles = (...resources: string[]) =>
    resources.map((one, at) => gets(`stored-${at}`, one)).join('') + gets('stored-last', 'nodes')
  const gets = (name: string, resource: string) =>
    role(name, `{apiGroups: [""], resources: [${resource}], verbs: [get]}`)
  const resources = async () =>
    Promise.all(
      ['stored-0', 'stored-1', 'stored-last'].map(async (name) => {
        const found = await rbac.readClusterRole({ name }).catch(() => undefined)
        return found?.rules?.[0]?.resources?.[0]
      }),
    )

  async function refusing(name: string, kind: string, starts: string) {
    const metadata = { name }
    await admission.createValidatingAdmissionPolicy({
      body: {
        metadata,
        spec: {
          failurePolicy: 'Fail',
          matchConstraints: {
            resourceRules: [
              {
                apiGroups: ['rbac.authorization.k8s.io'],
                apiVersions: ['v1'],
                operations: ['CREATE', 'UPDATE'],
                resources: [kind],
              },
            ],
          },
          validations: [{ expression: `!object.metadata.name.startsWith('${starts}')`, message: 'not today' }],
        },
      },
    })
    const spec = { policyName: name, validationActions: ['Deny'] }
    await admission.createValidatingAdmissionPolicyBinding({ body: { metadata, spec } })
    // A real API server takes a moment until a policy is in force, or no longer is.
    const isInForce = () =>
      rbac.createClusterRole({ body: { metadata: { name: `${starts}-tried` } }, dryRun: 'All' }).then(
        () => false,
        () => true,
      )
    await expect.poll(isInForce, { timeout: 15_000 }).toBe(true)
    return async () => {
      await admission.deleteValidatingAdmissionPolicyBinding({ name })
      await admission.deleteValidatingAdmissionPolicy({ name })
      await expect.poll(isInForce, { timeout: 15_000 }).toBe(false)
    }
  }

  const rollsBack = (app: App, revision: number) =>
    teams.act('Rollback', { appId: app.id, revision, baseRevision: app.revision })

  test('that is refused its rights, or one of the roles, leaves all roles as they are', async () => {
    const first = await deployed(await teams.assign(team), roles('pods', 'services'))
    const app = await deployed(first, roles('configmaps', 'secrets'))
    const before = ['configmaps', 'secrets', 'nodes']
    expect(await resources()).toEqual(before)
    for (const refused of ['quayside:action:', 'stored-1', 'stored-last']) {
      const end = await refusing('not-today', 'clusterroles', refused)
      const action = await rollsBack(app, 1)
      expect([action.state, JSON.stringify(action)]).toEqual(['Failed', expect.stringContaining('not today')])
      expect(await resources()).toEqual(before)
      await end()
    }
    expect(JSON.stringify(await rollsBack(app, 1))).toContain('"state":"Success"')
    expect(await resources()).toEqual(['pods', 'services', 'nodes'])

    // A role that the present revision lacks would have to be made by Helm, which may not.
    const less = await deployed(await teams.admin.good<App>(`/portal-api/v2/apps/${app.id}`), roles('endpoints'))
    const action = await rollsBack(less, 1)
    expect(JSON.stringify(action)).toContain('ClusterRole stored-1 is not in the present revision')
    expect(await resources()).toEqual(['endpoints', undefined, 'nodes'])
  })
})

describe('a deletion', () => {
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reads' }
  const binding = (namespace: string) => `${rbacVersion}
kind: RoleBinding
metadata: {name: same, namespace: ${namespace}, annotations: {helm.sh/resource-policy: keep}}
roleRef: ${JSON.stringify(roleRef)}
subjects: [{kind: ServiceAccount, name: default, namespace: "{{ .Release.Namespace }}"}]
`
  const bindings = async (namespace: string) =>
    (await rbac.listNamespacedRoleBinding({ namespace })).items.map(({ metadata }) => metadata?.name)

  test('removes what the app has made in another namespace, and nothing of the same name elsewhere', async () => {
    await core.createNamespace({ body: { metadata: { name: 'elsewhere' } } })
    const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }]
    for (const namespace of ['default', 'elsewhere'])
      await rbac.createNamespacedRole({ namespace, body: { metadata: { name: 'reads' }, rules } })
    const app = await deployed(await teams.assign(team), binding('default'))
    await rbac.createNamespacedRoleBinding({
      namespace: 'elsewhere',
      body: { metadata: { name: 'same' }, roleRef, subjects: [{ kind: 'User', name: 'ann' }] },
    })
    await teams.storeAnew(app, (release) => ({
      ...release,
      manifest: `---\n${binding('elsewhere')}${release.manifest}`,
    }))
    const { data } = await teams.admin.good<{ data: Leftover[] }>(`/deployment/v1/helm/deployment/leftovers/${app.id}`)
    const ids = ['RoleBinding/default/same', 'RoleBinding/elsewhere/same']
    expect(ids.map((id) => data.some((each) => each.id === id))).toEqual([true, false])
    const remove = (...chosen: string[]) => ({
      app: { id: app.id },
      leftovers: chosen.map((id) => ({ id, choice: 'remove' })),
    })
    const refused = await teams.admin.call('/deployment/v1/helm/deployment/actions.Delete', { body: remove(...ids) })
    expect(refused).toMatchObject({ status: 400, body: { field: 'leftovers.1.id' } })
    await teams.act('Delete', remove('RoleBinding/default/same'))
    expect(await bindings('default')).not.toContain('same')
    expect(await bindings('elsewhere')).toEqual(['same'])
  })
})

describe('a chart that renders differently for Helm', () => {
  const binding = (subject: string) => `---
${rbacVersion}
kind: RoleBinding
metadata: {name: late}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: "quayside:deployer"}
subjects: [${subject}]
`
  const own = '{kind: ServiceAccount, name: default, namespace: "{{ .Release.Namespace }}"}'
  const bindings = async ({ namespace }: Team['space']) =>
    (await rbac.listNamespacedRoleBinding({ namespace })).items.map(({ metadata }) => metadata?.name)
  const attempt = async (objects: string) => {
    const by = await teams.team()
    const app = await teams.assign(by)
    const { action } = await teams.deploy(by, teams.admin, app, objects)
    return { by, action, app: await teams.admin.good<App>(`/portal-api/v2/apps/${app.id}`) }
  }

  test.each([
    ['a person', '{kind: User, apiGroup: rbac.authorization.k8s.io, name: ines}'],
    ['a group', '{kind: Group, apiGroup: rbac.authorization.k8s.io, name: "system:authenticated"}'],
    ['an account elsewhere', '{kind: ServiceAccount, name: default, namespace: default}'],
    ['an account elsewhere beside its own', `${own}, {kind: ServiceAccount, name: default, namespace: default}`],
  ])('lets %s into its space no more than one that does not', async (_, subject) => {
    const { by, action } = await attempt(late(binding(subject)))
    expect([action?.state, JSON.stringify(action)]).toEqual([
      'Failed',
      expect.stringContaining('A binding in a space gives rights to accounts of that space alone.'),
    ])
    expect(await bindings(by.space)).not.toContain('late')
  })

  test.each([
    ['without a namespace', '{kind: ServiceAccount, name: default}'],
    ['with an empty namespace', '{kind: ServiceAccount, name: default, namespace: ""}'],
  ])('binds an account that it names %s, which is its own', async (_, subject) => {
    const { by, action } = await attempt(late(binding(subject)))
    expect(JSON.stringify(action)).toContain('"state":"Success"')
    expect(await bindings(by.space)).toContain('late')
  })

  test('binds accounts of its own, and its text is stored as it was written', async () => {
    const written = 'apiVersion:   v1 # kept\nkind: ConfigMap\nmetadata: {name: "odd",   labels: {a: \'b\'}}\n'
    const { by, action, app } = await attempt(`${written}${late(binding(own))}`)
    expect(JSON.stringify(action)).toContain('"state":"Success"')
    expect(await bindings(by.space)).toContain('late')
    expect((await teams.storedOf(app)).manifest).toContain(written)
  })

  test('is no way for pods of the space either', async () => {
    const { by } = await attempt(binding(own).replace('name: late', 'name: first'))
    const { namespace } = by.space
    const kubeconfig = new KubeConfig()
    kubeconfig.loadFromString(teams.kubeconfig.exportConfig())
    const [user] = kubeconfig.users
    const account = `system:serviceaccount:${namespace}:default`
    kubeconfig.users = [{ ...user, name: user?.name ?? '', impersonateUser: account }]
    const rules = [
      { apiGroups: ['rbac.authorization.k8s.io'], resources: ['rolebindings', 'clusterroles'], verbs: ['*'] },
    ]
    await rbac.createNamespacedRole({ namespace, body: { metadata: { name: 'binds' }, rules } })
    const metadata = { name: 'binds' }
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'binds' }
    const subjects = [{ kind: 'ServiceAccount', name: 'default', namespace }]
    await rbac.createNamespacedRoleBinding({ namespace, body: { metadata, roleRef, subjects } })
    const asPod = kubeconfig.makeApiClient(RbacAuthorizationV1Api)
    const bind = (name: string, to: typeof subjects) =>
      asPod.createNamespacedRoleBinding({ namespace, body: { metadata: { name }, roleRef, subjects: to } })
    await bind('inside', subjects)
    await expect(bind('outside', [{ ...subjects[0], namespace: 'default' } as never])).rejects.toThrow(
      /of that space alone/,
    )
  })
})
