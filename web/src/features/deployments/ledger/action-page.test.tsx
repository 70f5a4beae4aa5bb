import { apps } from '@quayside/contract/apps/endpoints'
import { deployments } from '@quayside/contract/deployments/endpoints'
import { permissions } from '@quayside/contract/permissions/endpoints'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { type Answers, answer, drawInPortal, never, Refusal, serving } from '../../../testing/portal.tsx'
import { anAction, anApp } from '../../../testing/things.ts'
import { ActionPage } from './action-page.tsx'

const id = { id: 'action-1' }
const line = {
  seq: 1,
  at: '2026-01-01T00:00:01.000Z',
  event: 'message',
  payload: { type: 'helm', message: 'creating', level: 'info' },
} as const

function open(answers: Answers = {}, roles = ['catalog.deployments.manage']) {
  const calls = serving({
    ...answer(deployments.getAction, anAction(), id),
    ...answer(deployments.actionEvents, { data: [line] }, id),
    ...answer(permissions.myScopes, { data: [] }),
    ...answer(apps.getApp, anApp(), { id: '7app001' }),
    ...answers,
  })
  drawInPortal(<ActionPage />, { route: 'cloud-automation/$actionId', at: '/cloud-automation/action-1', roles })
  return calls
}
const fact = (name: string) => screen.getByText(name, { selector: 'dt' }).nextElementSibling?.textContent
const title = () => screen.findByRole('heading', { level: 1 })

it('shows each fact of the action under its name, how it ended and what it told', async () => {
  open()
  expect((await title()).textContent).toBe('Upgrade of Tank levels')
  const names = ['App', 'Version', 'Space', 'Cluster', 'Namespace', 'Release', 'Started by']
  expect(names.map(fact)).toEqual([
    ...['Tank levels', '1.0.0', 'Shop', 'North', 'shop-8kx2m4a', 'tank-levels-7app001', 'noor'],
  ])
  expect(screen.getByText('Summed up')).toBeDefined()
  expect((await screen.findByText('creating')).closest('[role=log]')).not.toBeNull()
})

it('says why a failed one failed, and offers to do it again', async () => {
  open(
    answer(
      deployments.getAction,
      anAction({ state: 'Failed', result: { state: 1, summary: 'It broke', lines: [] } }),
      id,
    ),
  )
  await title()
  expect(screen.getByRole('alert').textContent).toContain('It broke')
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeDefined()
})

it('cancels one that nobody has begun, after a question', async () => {
  const waiting = anAction({ state: 'accepted', running: true, cancellable: true, result: null, finishedAt: null })
  const calls = open({
    ...answer(deployments.getAction, waiting, id),
    ...answer(deployments.cancelAction, anAction({ state: 'Failed' }), id),
  })
  await userEvent.click(await screen.findByRole('button', { name: /^Cancel/ }))
  const question = await screen.findByRole('dialog', { name: 'Cancel action' })
  expect(question.textContent).toContain('Cancel this Upgrade of Tank levels?')
  await userEvent.click(within(question).getByRole('button', { name: 'Confirm' }))
  await waitFor(() =>
    expect(calls.filter(({ method }) => method === 'POST').map(({ path }) => path)).toEqual([
      '/deployment/v1/actions/action-1/cancel',
    ]),
  )
})

it('says why its lines could not be read', async () => {
  open(answer(deployments.actionEvents, new Refusal(500, 'The log is away'), id))
  expect((await screen.findByRole('alert', { name: /^Log: / })).textContent).toContain('The log is away')
})

it('shows that it loads', async () => {
  open(answer(deployments.getAction, never, id))
  expect((await screen.findByRole('status')).textContent).toBe('Loading')
})

it.each([
  [500, 'The database is away'],
  [403, 'You need the role access'],
  [404, 'This action does not exist'],
])('says why it could not be read, and reads it again when asked: %i', async (status, reason) => {
  const answers = [new Refusal(status, reason)]
  open(answer(deployments.getAction, () => answers.shift() ?? anAction(), id))
  const alert = await screen.findByRole('alert', { name: /^Action: / })
  expect(alert.textContent).toContain(reason)
  await userEvent.click(within(alert).getByRole('button', { name: 'Try again' }))
  expect((await title()).textContent).toBe('Upgrade of Tank levels')
})
