import { act, cleanup, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page, request } from '../../features/permissions/testing/team.ts'
import { type Answers, drawInPortal, Refusal, serving } from '../../testing/portal.tsx'
import { AccessRequests } from './access-requests.tsx'

beforeEach(() => localStorage.clear())
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const waiting = 'GET /portal-api/v3/access-requests?'
const mine = 'GET /portal-api/v3/access-requests/mine'
const bell = (name: string | RegExp) => screen.findByRole('button', { name })
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

function open(answers: Answers = {}, sections = ['spaces']) {
  serving({ [waiting]: page(), [mine]: page(), ...answers })
  drawInPortal(<AccessRequests />, { sections })
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
  expect((await bell('Access requests: 1 to answer, 1 answered')).textContent).toBe('2')
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
  await bell('Access requests: 1 answered')
  toggle('open')
  await screen.findByRole('region', { name: 'Your requests' })
  toggle('closed')
  expect((await bell('Access requests')).textContent).toBe('')
})

it('without requests it says what would be there', async () => {
  open()
  await bell('Access requests')
  toggle('open')
  expect(await screen.findByText('No requests')).toBeDefined()
})

it('lists that cannot be had are no empty ones', async () => {
  let isAway = true
  open({ [waiting]: () => (isAway ? new Refusal(403, 'The list is closed.') : page(request())) })
  await bell('Access requests')
  toggle('open')
  const alert = await screen.findByRole('alert', { name: /Access requests/ })
  expect(alert.textContent).toContain('The list is closed.')
  expect(screen.queryByText('No requests')).toBeNull()
  isAway = false
  await userEvent.click(screen.getByRole('button', { name: /again|retry/i }))
  expect(await screen.findByRole('region', { name: 'To answer' })).toBeDefined()
})

it('who may not open Spaces has no bell', async () => {
  open({}, ['apps'])
  await waitFor(() => expect(document.getElementById('overlays')).not.toBeNull())
  expect(screen.queryByRole('button')).toBeNull()
})
