import type { App } from '@quayside/contract/apps/endpoints'
import { act, cleanup, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { RunningAction } from '../../features/apps/running-action.tsx'
import { drawInPortal, Refusal, serving } from '../../testing/portal.tsx'
import { RunningActions } from './running-actions.tsx'

const action = (id: string, state: string, cancellable = state === 'accepted') => ({
  ...{
    id,
    kind: 'Upgrade',
    state,
    cancellable,
    abortable: false,
    abortedBy: null,
    running: true,
    appId: 'a1',
    appName: `App ${id}`,
    startedBy: 'ann',
  },
  ...{ spaceName: 'Shop', clusterName: 'Sandbox', acceptedAt: '2026-01-01T00:00:00.000Z' },
})
const list = (...data: object[]) => ({ data, page: { skip: 0, limit: 50, total: data.length }, next: null })
const viewer = ['catalog.deployments.view']
const manager = [...viewer, 'catalog.deployments.manage']
const actions = 'GET /deployment/v1/actions'
const app = { id: 'a1', state: 'deploying' } as App

/** Opens a popover as its button would; the test environment does not implement popovers. */
function openPanel(label: string) {
  const panel = screen.getAllByLabelText(label).find((element) => element.hasAttribute('popover'))
  if (!panel) throw new Error('there is no such panel')
  const tell = (newState: string) => panel.dispatchEvent(Object.assign(new Event('beforetoggle'), { newState }))
  panel.hidePopover = () => tell('closed')
  act(() => void tell('open'))
}

it.each([
  ['accepted', 'Nothing of it has begun, so nothing changes.'],
  ['helm', 'Helm was not started for it'],
])(
  'only what has no Helm yet can be cancelled from the running actions, after a question: %s',
  async (state, words) => {
    const calls = serving({
      [actions]: list(action('one', 'helm'), action('two', state, true)),
      'POST /deployment/v1/actions/two/cancel': action('two', 'Failed'),
    })
    drawInPortal(<RunningActions />, { roles: manager })
    await screen.findByRole('button', { name: '2 running' })
    openPanel('2 running')
    const cancel = await screen.findByRole('button', { name: 'Cancel Upgrade of App two' })
    expect(screen.queryByRole('button', { name: 'Cancel Upgrade of App one' })).toBeNull()
    await userEvent.click(cancel)
    expect(calls.every(({ method }) => method === 'GET')).toBe(true)
    expect((await screen.findByRole('dialog', { name: 'Cancel action' })).textContent).toContain(words)
    await userEvent.click(await screen.findByRole('button', { name: 'Confirm' }))
    await waitFor(() => expect(calls.map(({ path }) => path)).toContain('/deployment/v1/actions/two/cancel'))
  },
)

it('the page of an app says what waits, and why it is too late when somebody was quicker', async () => {
  serving({
    [actions]: list(action('two', 'accepted')),
    'POST /deployment/v1/actions/two/cancel': new Refusal(409, 'It has begun and cannot be cancelled.'),
  })
  drawInPortal(<RunningAction app={app} />, { roles: manager })
  const shown = await screen.findByRole('region', { name: 'Running action' })
  expect(shown.textContent).toContain('Upgrade waits for its turn – started by ann')
  // One sentence, whichever way the page is read.
  const sentence = shown.querySelector('p')
  expect(sentence?.querySelector('bdi')?.textContent).toBe(sentence?.textContent)
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Confirm' }))
  expect((await screen.findByRole('dialog', { name: 'Not done' })).textContent).toContain('cannot be cancelled')
})

it('cancelling is closed to who lacks the permission, and what runs can only be followed', async () => {
  serving({ [actions]: list(action('two', 'accepted')) })
  drawInPortal(<RunningAction app={app} />, { roles: viewer })
  await screen.findByRole('region', { name: 'Running action' })
  expect(screen.getByRole('button', { name: 'Cancel' }).getAttribute('aria-disabled')).toBe('true')
  cleanup()
  serving({ [actions]: list(action('one', 'helm')) })
  drawInPortal(<RunningAction app={app} />, { roles: manager })
  expect((await screen.findByRole('region', { name: 'Running action' })).textContent).toContain('Upgrade is running')
  expect(screen.queryByRole('button', { name: 'Cancel' })).toBeNull()
  expect(screen.getByRole('button', { name: 'Follow live' })).toBeDefined()
})

it('what Helm runs for is aborted from the page of its app, after a question that says what it leaves', async () => {
  const calls = serving({
    [actions]: list({ ...action('one', 'helm'), abortable: true }),
    'POST /deployment/v1/actions/one/abort': action('one', 'Failed'),
  })
  drawInPortal(<RunningAction app={app} />, { roles: manager })
  await userEvent.click(await screen.findByRole('button', { name: 'Abort' }))
  const question = await screen.findByRole('dialog', { name: 'Abort action' })
  expect(question.textContent).toContain('stay on the cluster; afterwards you can roll back, delete the app or keep it')
  expect(calls.every(({ method }) => method === 'GET')).toBe(true)
  await userEvent.click(screen.getByRole('button', { name: 'Confirm' }))
  await waitFor(() => expect(calls.map(({ path }) => path)).toContain('/deployment/v1/actions/one/abort'))
})
