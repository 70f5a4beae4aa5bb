import { noReach } from '@quayside/contract/clusters/network-reach'
import type { Approval, ClusterRule, SpaceOnCluster } from '@quayside/contract/clusters/rules'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { type Answers, drawInPortal, Refusal, serving } from '../../testing/portal.tsx'
import { ClusterRules } from './cluster-rules.tsx'
import { ClusterSpaces } from './cluster-spaces.tsx'

const cluster = '/cluster/v1/clusters/c1'
const named = (id: string, displayName: string) => ({ id, displayName })
const rule = (kind: string, more: Partial<ClusterRule> = {}): ClusterRule => ({
  ...{ id: `rule-${kind}`, group: 'apiextensions.k8s.io', kind, name: null, item: null, publisher: null },
  ...{ elevates: false, note: '', createdBy: 'mara', createdAt: '2026-01-01T00:00:00.000Z', ...more },
})
const approval = (more: Partial<Approval> = {}): Approval => ({
  ...{
    id: 'ap1',
    state: 'open',
    cluster: named('c1', 'Sandbox'),
    space: named('s1', 'Shop'),
    app: named('a1', 'Metrics'),
  },
  ...{
    item: named('i1', 'Prometheus'),
    version: '2.0.0',
    elevates: true,
    otherApps: ['Till'],
    reason: 'We watch nodes',
  },
  objects: [
    {
      ...{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', name: 'metrics', namespace: null },
      ...{ elevates: true, grants: ['Read all nodes'] },
    },
  ],
  ...{ askedBy: { id: 'u2', name: 'ravi' }, askedAt: new Date().toISOString(), answeredBy: null, answeredAt: null },
  ...{ note: null, expiresAt: null, asksFor: { type: 'scope', id: 'space.deploy.elevated' }, ...more },
})
const page = (...data: Approval[]) => ({ data, page: { skip: 0, limit: 100, total: data.length }, next: null })
const editor = { 'quayside-portal-ui-clusters': ['access', 'clusters.view', 'clusters.edit'] }

function open(part: 'rules' | 'spaces', answers: Answers, more: Record<string, string[]> = editor) {
  const calls = serving({
    [`GET ${cluster}/rules`]: { data: [] },
    'GET /cluster/v1/approvals': page(),
    ...answers,
  })
  drawInPortal(part === 'rules' ? <ClusterRules id="c1" /> : <ClusterSpaces id="c1" />, { roles: [], more })
  return calls
}
const bodyOf = (calls: ReturnType<typeof open>, wanted: string) => calls.find(({ method }) => method === wanted)?.body

it('a kind that is known brings its group, and stands in the list at once', async () => {
  let list: ClusterRule[] = []
  const calls = open('rules', {
    [`GET ${cluster}/rules`]: () => ({ data: list }),
    [`POST ${cluster}/rules`]: () => {
      list = [rule('CustomResourceDefinition', { publisher: 'Acme' })]
      return list[0]
    },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Allow a kind' }))
  const dialog = await screen.findByRole('dialog', { name: 'Allow a kind' })
  const allow = within(dialog).getByRole('button', { name: 'Allow' })
  expect(allow).toHaveProperty('disabled', true)
  await userEvent.type(within(dialog).getByLabelText(/^Kind/), 'CustomResourceDefinition')
  expect(within(dialog).getByLabelText('API group')).toHaveProperty('value', 'apiextensions.k8s.io')
  await userEvent.type(within(dialog).getByLabelText('Uploaded by'), 'Acme')
  await userEvent.click(allow)
  const row = await screen.findByRole('row', { name: /CustomResourceDefinition/ })
  expect(row.textContent).toMatch(/Any.*uploaded by Acme.*No rights by itself/)
  expect(bodyOf(calls, 'POST')).toEqual({
    ...{ kind: 'CustomResourceDefinition', group: 'apiextensions.k8s.io', name: null, publisher: 'Acme' },
    ...{ note: '', itemId: null },
  })
})

it('a rule is limited to one catalog item, which the catalog finds by name', async () => {
  let list: ClusterRule[] = []
  const calls = open('rules', {
    [`GET ${cluster}/rules`]: () => ({ data: list }),
    'GET /catalog/v2/items': ({ path }: { path: string }) => ({
      data: [
        { id: 'i1', displayName: 'Prometheus', manufacturer: { id: 'm1', name: 'CNCF' } },
        { id: 'i2', displayName: 'Redis', manufacturer: { id: 'm2', name: 'Acme' } },
      ].filter(({ displayName }) => !path.includes('prom') || displayName === 'Prometheus'),
      ...{ page: { skip: 0, limit: 20, total: 2 }, next: null },
    }),
    [`POST ${cluster}/rules`]: () => {
      list = [rule('ClusterRole', { item: named('i1', 'Prometheus') })]
      return list[0]
    },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Allow a kind' }))
  const dialog = await screen.findByRole('dialog', { name: 'Allow a kind' })
  await userEvent.type(within(dialog).getByLabelText(/^Kind/), 'ClusterRole')
  await userEvent.click(within(dialog).getByRole('button', { name: /^Catalog item/ }))
  await userEvent.type(await screen.findByRole('combobox', { name: 'Search Catalog item' }), 'prom')
  await waitFor(() => expect(screen.queryByRole('option', { name: /Redis/ })).toBeNull())
  await userEvent.click(await screen.findByRole('option', { name: /Prometheus.*CNCF/ }))
  expect(within(dialog).getByRole('button', { name: /^Catalog item/ }).textContent).toBe('Prometheus')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Allow' }))
  expect((await screen.findByRole('row', { name: /ClusterRole/ })).textContent).toMatch(/Prometheus/)
  expect(bodyOf(calls, 'POST')).toMatchObject({ kind: 'ClusterRole', itemId: 'i1', publisher: null })
})

it('a request says what is needed, what it lets be done and what it means, and is approved for a while', async () => {
  let waiting = [approval()]
  const calls = open('rules', {
    'GET /cluster/v1/approvals': () => page(...waiting),
    'POST /cluster/v1/approvals/ap1/answer': () => {
      waiting = [approval({ state: 'granted', answeredBy: 'mara', answeredAt: new Date().toISOString() })]
      return waiting[0]
    },
  })
  const card = await screen.findByRole('article', { name: 'Metrics asks' })
  expect(card.textContent).toMatch(/ravi asked.*We watch nodes.*ClusterRole metrics.*Read all nodes/)
  expect(card.textContent).toMatch(/whoever runs a pod in Shop has these rights.*Till/)
  await userEvent.click(within(card).getByRole('button', { name: 'Approve' }))
  const dialog = await screen.findByRole('dialog', { name: 'Approve for Metrics' })
  await userEvent.selectOptions(within(dialog).getByLabelText('Valid for'), '8 hours')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Approve' }))
  await screen.findByText('No chart waits for an approval.')
  expect(bodyOf(calls, 'POST')).toEqual({
    ...{ decision: 'grant', note: '', hours: 8 },
    asksFor: { type: 'scope', id: 'space.deploy.elevated' },
  })
  expect((await screen.findByRole('article', { name: 'Metrics is approved' })).textContent).toContain(
    'approved by mara',
  )
})

it('who may not edit clusters sees it all, with every button closed', async () => {
  open(
    'rules',
    {
      [`GET ${cluster}/rules`]: { data: [rule('ClusterRole', { elevates: true })] },
      'GET /cluster/v1/approvals': page(approval()),
    },
    { 'quayside-portal-ui-clusters': ['access', 'clusters.view'] },
  )
  expect((await screen.findByRole('row', { name: /ClusterRole/ })).textContent).toContain('Rights on the cluster')
  await screen.findByRole('article', { name: 'Metrics asks' })
  for (const name of ['Allow a kind', 'Approve', 'Decline'])
    expect(screen.getByRole('button', { name }).getAttribute('aria-disabled')).toBe('true')
})

const onCluster = (more: Partial<SpaceOnCluster> = {}): SpaceOnCluster => ({
  ...{ space: named('s1', 'Shop'), namespace: 'shop-s1', podSecurity: 'baseline', network: 'standard' },
  reaches: noReach,
  ...{ stricter: [], elevatedBy: [], asksFor: [], applied: true, message: null, ...more },
})

it('each space says what holds it apart, and whether the cluster has it', async () => {
  const refused = { applied: false, message: 'The cluster refused the label.', elevatedBy: [named('a1', 'Metrics')] }
  open('spaces', {
    [`GET ${cluster}/spaces`]: {
      data: [
        onCluster(),
        onCluster({ space: named('s2', 'Field'), podSecurity: 'privileged', network: 'open', ...refused }),
      ],
    },
  })
  expect((await screen.findByRole('row', { name: /Shop/ })).textContent).toMatch(/Baseline.*Standard.*None.*Applied/)
  expect(screen.getByRole('row', { name: /Field/ }).textContent).toMatch(
    /Privileged.*Open.*by Metrics.*Not applied.*The cluster refused the label\./,
  )
})

it('a space that another registration of the cluster holds apart more says so', async () => {
  open('spaces', { [`GET ${cluster}/spaces`]: { data: [onCluster({ stricter: [named('c2', 'Twin')] })] } })
  expect((await screen.findByRole('row', { name: /Shop/ })).textContent).toMatch(
    /Applied.*also registered as Twin, where the space is held apart more\. The stricter settings of both count\./,
  )
})

it('a level is changed after a warning, and a refusal leaves what was chosen', async () => {
  const calls = open('spaces', {
    [`GET ${cluster}/spaces`]: { data: [onCluster()] },
    [`PUT ${cluster}/spaces/s1`]: new Refusal(502, 'The cluster could not be reached.'),
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for Shop' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Change' }))
  const dialog = await screen.findByRole('dialog', { name: 'Shop on this cluster' })
  const save = within(dialog).getByRole('button', { name: 'Save' })
  expect(save).toHaveProperty('disabled', true)
  await userEvent.click(within(dialog).getByRole('button', { name: /^Pod Security/ }))
  await userEvent.click(await screen.findByRole('option', { name: /^Privileged/ }))
  expect(within(dialog).getByText(/can take over the nodes/)).toBeDefined()
  await userEvent.click(save)
  expect((await within(dialog).findByRole('alert', { name: /Save/ })).textContent).toContain('could not be reached')
  expect(bodyOf(calls, 'PUT')).toEqual({ podSecurity: 'privileged', network: 'standard', reaches: noReach })
  await waitFor(() =>
    expect(within(dialog).getByRole('button', { name: /^Pod Security/ }).textContent).toBe('Privileged'),
  )
})

it('who approves rights on the cluster names what deploying in the space then asks for', async () => {
  const calls = open('rules', {
    'GET /cluster/v1/approvals': page(approval()),
    'POST /cluster/v1/approvals/ap1/answer': approval({ state: 'granted' }),
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Approve' }))
  const choice = await screen.findByRole('combobox', { name: 'Deploying in the space then asks for' })
  expect((choice as HTMLSelectElement).value).toBe('space.deploy.elevated')
  await userEvent.selectOptions(choice, 'A role of the tenant')
  await userEvent.type(screen.getByRole('textbox', { name: /^Role/ }), 'harbour-crew')
  await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Approve' }))
  await waitFor(() =>
    expect(bodyOf(calls, 'POST')).toMatchObject({ asksFor: { type: 'role', id: 'harbour-crew' }, decision: 'grant' }),
  )
})

it('what pods of a space reach is opened one by one', async () => {
  const calls = open('spaces', {
    [`GET ${cluster}/spaces`]: { data: [onCluster()] },
    [`PUT ${cluster}/spaces/s1`]: onCluster(),
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for Shop' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Change' }))
  const dialog = await screen.findByRole('dialog', { name: 'Shop on this cluster' })
  await userEvent.click(within(dialog).getByRole('checkbox', { name: /^The API server/ }))
  await userEvent.type(within(dialog).getByLabelText('Further namespaces'), 'monitoring, logs')
  await userEvent.type(within(dialog).getByLabelText('Further addresses'), '10.20.0.0/16')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(bodyOf(calls, 'PUT')).toMatchObject({
      reaches: { ...noReach, apiServer: true, namespaces: ['monitoring', 'logs'], addresses: ['10.20.0.0/16'] },
    }),
  )
})
