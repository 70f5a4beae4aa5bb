import { permissions } from '@quayside/contract/permissions/endpoints'
import { type Webhook, type WebhookDelivery, webhooks } from '@quayside/contract/webhooks/endpoints'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { testListPage } from '../../testing/list-page.tsx'
import { type Answers, answer, drawInPortal, Refusal, serving } from '../../testing/portal.tsx'
import { WebhookList } from './webhook-list.tsx'

const at = '2026-01-01T00:00:00.000Z'
const aWebhook = (more: Partial<Webhook> = {}): Webhook => ({
  ...{ id: 'hook1', name: 'Pager', url: 'https://hooks.example.org/portal?key=s3cr3t', isSigned: true },
  ...{ events: ['action-failed'], spaces: [{ id: 'dock001', name: 'Dock' }], enabled: true, offReason: null },
  ...{ waiting: 0, dropped: 0, lastAttempt: { at, isDelivered: true }, createdAt: at, createdBy: 'mara' },
  ...more,
})
const aDelivery: WebhookDelivery = {
  ...{ id: 'a1', type: 'quayside.action.failed', about: 'Crane', at, state: 'waiting', attempts: 2 },
  ...{ nextAttemptAt: at, status: 500, says: 'hooks.example.org answers with status 500.' },
}
const listed = (...data: Webhook[]) => ({ data })
const saved = (secret: string | null) => ({ ...aWebhook(), secret })

function open(answers: Answers = {}, { to = '/', roles = ['loginsettings.edit'] } = {}) {
  const calls = serving({
    ...answer(webhooks.listWebhooks, listed(aWebhook())),
    ...answer(permissions.myScopes, { data: [] }),
    ...answers,
  })
  const { router } = drawInPortal(<WebhookList />, {
    at: to,
    more: { 'quayside-portal-ui-iam-loginsettings': roles },
  })
  const sent = () =>
    calls.filter(({ method }) => method !== 'GET').map(({ method, path, body }) => [method, path, body])
  return { sent, where: () => router.state.location.href }
}
const field = (name: RegExp) => screen.getByLabelText<HTMLInputElement>(name)
const chosen = async (name: string) => {
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for Pager' }))
  await userEvent.click(await screen.findByRole('menuitem', { name }))
}

testListPage({
  open,
  list: webhooks.listWebhooks,
  filled: listed(aWebhook()),
  none: listed(),
  label: 'Webhooks',
  row: { Name: /^Pagerhooks\.example\.org$/, State: 'Working', Events: 'Actions that failed', Where: 'Dock' },
  empty: 'No webhooks yet',
})

it('says why one was switched off, what waits and what was dropped', async () => {
  const more = { enabled: false, offReason: '10 events in a row could not be delivered.', waiting: 3, dropped: 7 }
  open(answer(webhooks.listWebhooks, listed(aWebhook(more))))
  expect(await screen.findByText('Switched off')).toBeDefined()
  expect(screen.getByText('10 events in a row could not be delivered.')).toBeDefined()
  expect(screen.getByText('3 deliveries waiting.')).toBeDefined()
  expect(screen.getByText('7 deliveries were dropped because too many were waiting.')).toBeDefined()
})

it('adds one, and shows the secret that the portal makes this once', async () => {
  const { sent } = open(answer(webhooks.addWebhook, saved('whsec_abc')))
  await screen.findByRole('rowheader')
  await userEvent.click(screen.getByRole('button', { name: 'Add webhook' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Add webhook' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Add webhook' }))
  expect(await screen.findByText('Address required')).toBeDefined()
  expect(sent()).toEqual([])
  await userEvent.type(field(/^Name/), 'Pager')
  await userEvent.type(field(/^Address/), 'https://hooks.example.org/portal')
  await userEvent.click(dialog.getByRole('checkbox', { name: 'Deployments that finished' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Add webhook' }))
  expect((await screen.findByLabelText<HTMLInputElement>('Signing secret')).value).toBe('whsec_abc')
  const body = {
    ...{ name: 'Pager', url: 'https://hooks.example.org/portal', signing: 'generate', spaceIds: null, enabled: true },
    events: ['action-failed', 'action-finished', 'app-health'],
  }
  expect(sent()).toEqual([['POST', '/im/v1/webhooks', body]])
})

it('changes one and keeps its secret, and says at its field why it is refused', async () => {
  const refusal = new Refusal(409, 'A webhook with this name already exists.', 'webhook.name-taken')
  const answers = [refusal, saved(null)]
  const { sent } = open(answer(webhooks.changeWebhook, () => answers.shift() ?? saved(null)))
  await chosen('Edit')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText(/A webhook with this name already exists\./)).toBeDefined()
  await userEvent.type(field(/^Name/), '2')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Edit webhook' })).toBeNull())
  expect(sent()[1]).toEqual([
    ...['PUT', '/im/v1/webhooks/hook1'],
    {
      ...{ name: 'Pager2', url: aWebhook().url, signing: 'keep', events: ['action-failed'] },
      ...{ spaceIds: ['dock001'], enabled: true },
    },
  ])
})

it('switches one off, and deletes it when that is confirmed', async () => {
  const { sent } = open({
    ...answer(webhooks.switchWebhook, aWebhook({ enabled: false })),
    ...answer(webhooks.deleteWebhook, undefined),
  })
  await chosen('Switch off')
  await waitFor(() => expect(sent()[0]).toEqual(['PATCH', '/im/v1/webhooks/hook1', { enabled: false }]))
  await chosen('Delete')
  const asked = within(await screen.findByRole('dialog', { name: 'Delete webhook' }))
  await userEvent.click(asked.getByRole('button', { name: 'Confirm' }))
  await waitFor(() => expect(sent()[1]).toEqual(['DELETE', '/im/v1/webhooks/hook1', undefined]))
})

it('sends a test and says what the receiver answers', async () => {
  const says = 'hooks.example.org answers with status 500.'
  const { sent } = open(answer(webhooks.testWebhook, { ...aDelivery, state: 'failed', says }))
  await chosen('Send a test')
  const told = await screen.findByRole('dialog', { name: 'Test not delivered' })
  expect(told.textContent).toContain(says)
  expect(sent()).toEqual([['POST', '/im/v1/webhooks/hook1/test', undefined]])
})

it('shows the deliveries of the one that is chosen', async () => {
  open(answer(webhooks.listDeliveries, { data: [aDelivery] }), { to: '/?webhook=hook1' })
  const table = await screen.findByRole('table', { name: 'Deliveries' })
  await waitFor(() => expect(table.textContent).toContain('An action failed'))
  for (const text of ['Crane', 'Waiting', '500', aDelivery.says]) expect(table.textContent).toContain(text)
  expect(document.body.textContent).not.toContain('s3cr3t')
})

it('is closed to who only looks on', async () => {
  const { sent } = open({}, { roles: ['loginsettings.view'] })
  await screen.findByRole('rowheader')
  expect(screen.getByRole('button', { name: 'Add webhook' }).getAttribute('aria-disabled')).toBe('true')
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for Pager' }))
  for (const name of ['Send a test', 'Edit', 'Switch off', 'Delete'])
    expect(screen.getByRole('menuitem', { name }).getAttribute('aria-disabled')).toBe('true')
  expect(sent()).toEqual([])
})
