import { gunzipSync, gzipSync } from 'node:zlib'
import { AdmissionregistrationV1Api, CoreV1Api, RbacAuthorizationV1Api } from '@kubernetes/client-node'
import type { Action } from '@quayside/contract/deployment'
import type { App } from '@quayside/contract/portal-api'
import { World } from '@quayside/embedded/world'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Team, type Teams, teamsOn } from './team-with-charts.ts'

const actions = '/deployment/v1/helm/deployment/actions'

let world: World
let teams: Teams
let core: CoreV1Api
let rbac: RbacAuthorizationV1Api
let admission: AdmissionregistrationV1Api

beforeAll(async () => {
  world = await World.start({
    cluster: { speed: 10 },
    env: {
      QUAYSIDE_DEPLOY_TIMEOUT_SECONDS: '20',
      QUAYSIDE_ALLOW_PRIVATE_ADDRESSES: 'true',
    },
  })
  teams = await teamsOn(world)
  core = teams.kubeconfig.makeApiClient(CoreV1Api)
  rbac = teams.kubeconfig.makeApiClient(RbacAuthorizationV1Api)
  admission = teams.kubeconfig.makeApiClient(AdmissionregistrationV1Api)
})
afterAll(() => world?.close())

const apiVersion = 'apiVersion: rbac.authorization.k8s.io/v1'
const readsNodes = '{apiGroups: [""], resources: [nodes], verbs: [get, list]}'
const everything = '{apiGroups: ["*"], resources: ["*"], verbs: ["*"]}'
const role = (name: string, rule: string, marks = '') =>
  `---\n${apiVersion}\nkind: ClusterRole\nmetadata: {name: ${name}${marks}}\nrules: [${rule}]\n`
const bound = (name: string) => `---
${apiVersion}
kind: ClusterRoleBinding
metadata: {name: ${name}}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: ${name}}
subjects: [{kind: ServiceAccount, name: default, namespace: "{{ .Release.Namespace }}"}]
`
const onDelete = ', annotations: {helm.sh/hook: pre-delete}'
/** Validation renders without a cluster, where a lookup finds nothing. */
const late = (objects: string) => `{{- if lookup "v1" "Namespace" "" .Release.Namespace }}\n${objects}{{- end }}\n`
const waits =
  '---\napiVersion: v1\nkind: Pod\nmetadata: {name: never, annotations: {sandbox.quayside.io/fault: never-ready}}\nspec: {containers: [{name: a, image: b}]}\n'

const verbsOf = (name: string) =>
  rbac.readClusterRole({ name }).then(
    ({ rules }) => rules?.flatMap(({ verbs }) => verbs),
    () => 'none',
  )

async function approved(by: Team, objects: string, app?: App): Promise<App> {
  const of = app ?? (await teams.assign(by))
  const { status, body } = await teams.ask(by, of, objects)
  expect([status, body.message]).toEqual([201, undefined])
  expect((await teams.answer(teams.admin, body, 'grant')).body.state).toBe('granted')
  return of
}

async function deployed(by: Team, objects: string, app?: App): Promise<App> {
  const of = await approved(by, objects, app)
  const { action } = await teams.deploy(by, by.story, of, objects)
  expect(JSON.stringify(action)).toContain('"state":"Success"')
  return teams.admin.good<App>(`/portal-api/v2/apps/${of.id}`)
}

async function acted(kind: 'Delete' | 'Rollback', body: object, by = teams.admin) {
  const { actionId } = await by.good<{ actionId: string }>(`${actions}.${kind}`, { body })
  return by.ended(actionId)
}

async function saidBy({ id }: Pick<Action, 'id'>): Promise<string> {
  return JSON.stringify(await teams.admin.good(`/deployment/v1/actions/${id}/events`))
}

interface Stored {
  manifest: string
  hooks?: object[]
}

/** Writes something else into a revision, as a pod that may change Secrets of the space could. */
async function storeAnew({ releaseName, namespace }: App, change: (release: Stored) => Stored, revision = 1) {
  const name = `sh.helm.release.v1.${releaseName}.v${revision}`
  const secret = await core.readNamespacedSecret({ namespace, name })
  const packed = Buffer.from(Buffer.from(secret.data?.release ?? '', 'base64').toString(), 'base64')
  const release = change(JSON.parse(gunzipSync(packed).toString()) as Stored)
  const text = gzipSync(JSON.stringify(release)).toString('base64')
  secret.data = { ...secret.data, release: Buffer.from(text).toString('base64') }
  await core.replaceNamespacedSecret({ namespace, name, body: secret })
}

describe('rights that one action was given outside of its space', () => {
  test('serve no other action of the space at the same time', async () => {
    const by = await teams.team()
    const other = await teams.assign(by)
    const hidden = await teams.deploy(by, by.story, other, late(role('shared', everything, onDelete)))
    expect(hidden.action).toMatchObject({ state: 'Success' })
    const objects = role('shared', readsNodes) + bound('shared') + waits
    const app = await approved(by, objects)
    const running = teams.deploy(by, by.story, app, objects)
    await expect.poll(() => verbsOf('shared'), { timeout: 20_000 }).toEqual(['get', 'list'])
    const deletion = await acted('Delete', { app: { id: other.id } }, by.story)
    expect(deletion.state).toBe('Success')
    expect(await saidBy(deletion)).toContain('make objects outside of the space, which a deletion may not')
    expect(await verbsOf('shared')).toEqual(['get', 'list'])
    await running
    const { namespace } = by.space
    const accounts = (await core.listNamespacedServiceAccount({ namespace: 'quayside-system' })).items
    expect(accounts.filter(({ metadata }) => metadata?.name?.startsWith(`space-${by.space.id}-`))).toEqual([])
    const bindings = (await rbac.listNamespacedRoleBinding({ namespace })).items
    expect(bindings.map(({ metadata }) => metadata?.name)).not.toContainEqual(expect.stringMatching(/^quayside:action/))
  })
})

describe('hooks of a deletion that somebody has written into the release', () => {
  test('make no role of the cluster, also under a name that the release has', async () => {
    const by = await teams.team()
    const app = await deployed(by, role('stored', readsNodes) + bound('stored'))
    const hook = { name: 'stored', kind: 'ClusterRole', path: 'x', events: ['pre-delete'], weight: 0, last_run: {} }
    const manifest = role('stored', everything, onDelete)
    await storeAnew(app, (release) => ({ ...release, hooks: [{ ...hook, manifest }] }))
    const deletion = await acted('Delete', { app: { id: app.id } }, by.story)
    expect(deletion.state).toBe('Success')
    expect(await saidBy(deletion)).toContain('make objects outside of the space, which a deletion may not')
    expect(await verbsOf('stored')).toBe('none')
  })
})

describe('a rollback to an object that was approved with one content', () => {
  test('is refused, because others could write it anew after it was judged', async () => {
    const hooks = (resource: string) => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: narrow}
webhooks:
  - name: narrow.example.com
    admissionReviewVersions: [v1]
    sideEffects: None
    failurePolicy: Ignore
    clientConfig: {url: "https://192.0.2.1/"}
    rules: [{apiGroups: [example.com], apiVersions: [v1], operations: [CREATE], resources: [${resource}]}]
`
    const by = await teams.team()
    const first = await deployed(by, hooks('ones'))
    const app = await deployed(by, hooks('others'), first)
    const rollback = await acted('Rollback', { appId: app.id, revision: 1, baseRevision: app.revision })
    expect([rollback.state, JSON.stringify(rollback)]).toEqual([
      'Failed',
      expect.stringContaining('Upgrade to the version'),
    ])
    const { webhooks } = await admission.readValidatingWebhookConfiguration({ name: 'narrow' })
    expect(webhooks?.[0]?.rules?.[0]?.resources).toEqual(['others'])
  })
})
