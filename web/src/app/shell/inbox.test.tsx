import type { Notice } from '@quayside/contract/notifications/endpoints'
import { act, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { page, request } from '../../features/permissions/testing/team.ts'
import { type Answers, drawInPortal, Refusal, serving } from '../../testing/portal.tsx'
import { Inbox } from './inbox.tsx'

beforeEach(() => localStorage.clear())

const waiting = 'GET /portal-api/v3/access-requests?'
const mine = 'GET /portal-api/v3/access-requests/mine'
const inbox = 'GET /im/v1/notifications'
const bell = (name: string | RegExp) => screen.findByRole('button', { name })
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

function open(answers: Answers = {}, sections = ['spaces']) {
  const calls = serving({ [waiting]: page(), [mine]: page(), [inbox]: { data: [], unread: 0 }, ...answers })
  drawInPortal(<Inbox />, { sections })
  return calls
}

/** Opens the panel as its button would; the test environment does not implement popovers. */
function toggle(newState: 'open' | 'closed') {
  const panel = document.querySelector<HTMLElement>('[popover]')
  if (!panel) throw new Error('there is no panel')
  panel.hidePopover = () => toggle('closed')
  act(() => void panel.dispatchEvent(Object.assign(new Event('beforetoggle'), { newState })))
}

it('counts who waits for the answer and own requests that were answered, and lists both with where they lie', async () => {
  open({
    [waiting]: page(request()),
    [mine]: page(
      request({
        id: 'r2',
        state: 'granted',
        answeredAt: minutesAgo(5),
        answeredBy: 'ines',
        answeredByName: 'Ines Duarte',
      }),
      request({ id: 'r3', state: 'open' }),
      request({ id: 'r4', state: 'declined', answeredAt: minutesAgo(8 * 24 * 60) }),
    ),
  })
  expect((await bell('Notifications: 1 to answer, 1 answered')).textContent).toBe('2')
  toggle('open')
  const toAnswer = await screen.findByRole('region', { name: 'To answer' })
  expect(toAnswer.textContent).toMatch(/Ravi Sandoval.*asks to be Deployer in Shop, for 8 hours/)
  const own = screen.getByRole('region', { name: 'Your requests' })
  expect(own.textContent).toMatch(/Deployer.*in Shop was granted.*Deployer.*in Shop waits for an answer/)
  expect(own.querySelectorAll('li')).toHaveLength(2)
  expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    ...Array.from({ length: 3 }, () => '/spaces/shop123/overview?tab=members'),
    '/spaces?tab=requests',
  ])
})

it('an answer that was looked at is counted no longer, however the list was closed', async () => {
  open({
    [mine]: page(
      request({ state: 'granted', answeredAt: minutesAgo(5), answeredBy: 'ines', answeredByName: 'Ines Duarte' }),
    ),
  })
  await bell('Notifications: 1 answered')
  toggle('open')
  await screen.findByRole('region', { name: 'Your requests' })
  toggle('closed')
  expect((await bell('Notifications')).textContent).toBe('')
})

it('without requests it says what would be there', async () => {
  open()
  await bell('Notifications')
  toggle('open')
  expect(await screen.findByText('No notifications')).toBeDefined()
})

it('lists that cannot be had are no empty ones', async () => {
  let isAway = true
  open({ [waiting]: () => (isAway ? new Refusal(403, 'The list is closed.') : page(request())) })
  await bell('Notifications')
  toggle('open')
  const alert = await screen.findByRole('alert', { name: /Notifications/ })
  expect(alert.textContent).toContain('The list is closed.')
  expect(screen.queryByText('No notifications')).toBeNull()
  isAway = false
  await userEvent.click(screen.getByRole('button', { name: /again|retry/i }))
  expect(await screen.findByRole('region', { name: 'To answer' })).toBeDefined()
})

const failed: Notice = {
  ...{ id: 'a1', kind: 'action-failed', at: minutesAgo(3), isRead: false, about: { id: 'a1', name: 'Web' } },
  ...{ space: { id: 's1', name: 'Harbour' }, action: 'Upgrade', says: 'No image', until: null },
}
const notices: Notice[] = [
  failed,
  { ...failed, id: 'o1-down', kind: 'app-unhealthy', isRead: true, about: { id: 'p1', name: 'Shop' }, action: null },
  { ...failed, id: 'o2-up', kind: 'app-healthy', isRead: true, about: { id: 'p2', name: 'Wiki' }, says: null },
  {
    ...{ ...failed, id: 't1-end', kind: 'token-expiring', isRead: true, about: { id: 't1', name: 'Nightly' } },
    ...{ space: null, action: null, says: null, until: new Date(Date.now() + 3 * 86_400_000).toISOString() },
  },
]
const full = { [inbox]: { data: notices, unread: 1 } }

it('lists what the person was told with the way to each thing, for who may not open Spaces as well', async () => {
  open(full, ['apps'])
  expect((await bell('Notifications: 1 unread')).textContent).toBe('1')
  toggle('open')
  const list = await screen.findByRole('region', { name: 'Inbox' })
  const entries = within(list).getAllByRole('link')
  expect(entries.map((entry) => entry.textContent?.replace(/\d+ min ago$/, ''))).toEqual([
    'Unread: WebUpgrade failed in HarbourNo image',
    'ShopUnhealthy in HarbourNo image',
    'WikiHealthy again in Harbour',
    'NightlyPersonal token ends in 3 days',
  ])
  expect(entries.map((entry) => entry.getAttribute('href'))).toEqual([
    '/cloud-automation/a1',
    '/apps/p1',
    '/apps/p2',
    '/account',
  ])
})

it('marks one as read and as unread, and all as read', async () => {
  const calls = open({ ...full, 'PATCH /im/v1/notifications': undefined, 'POST /im/v1/notifications/read': undefined })
  await bell('Notifications: 1 unread')
  toggle('open')
  await userEvent.click(await screen.findByRole('button', { name: 'Mark as read: Web' }))
  await userEvent.click(screen.getByRole('button', { name: 'Mark as unread: Shop' }))
  await userEvent.click(screen.getByRole('button', { name: 'Mark all as read' }))
  const changes = () => calls.filter(({ method }) => method !== 'GET').map(({ path, body }) => [path, body])
  await waitFor(() =>
    expect(changes()).toEqual([
      ['/im/v1/notifications/a1', { isRead: true }],
      ['/im/v1/notifications/o1-down', { isRead: false }],
      ['/im/v1/notifications/read', undefined],
    ]),
  )
})

it('shows what it has when one list cannot be had, and says so', async () => {
  open({ ...full, [waiting]: () => new Refusal(403, 'The list is closed.') })
  await bell(/^Notifications: 1 unread/)
  toggle('open')
  expect((await screen.findByRole('alert', { name: /Notifications/ })).textContent).toContain('The list is closed.')
  expect(await screen.findByRole('region', { name: 'Inbox' })).toBeDefined()
})

it('says why something could not be marked', async () => {
  open({ ...full, 'POST /im/v1/notifications/read': new Refusal(503, 'The database is away') })
  await bell('Notifications: 1 unread')
  toggle('open')
  await userEvent.click(await screen.findByRole('button', { name: 'Mark all as read' }))
  expect((await screen.findByRole('alert', { name: /^Inbox/ })).textContent).toContain('The database is away')
})
