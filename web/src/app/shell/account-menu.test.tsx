import { act, cleanup, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { useWhy } from '../../api/permissions/why.tsx'
import { drawInPortal, serving } from '../../testing/portal.tsx'
import { AccountMenu } from './account-menu.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function Asked() {
  const { question } = useWhy()
  return question === undefined ? null : <output>{JSON.stringify(question)}</output>
}

/** Opens the menu on a page as its button would; the test environment does not implement popovers. */
async function open(route: string, at: string) {
  serving({})
  drawInPortal(
    <>
      <AccountMenu />
      <Asked />
    </>,
    { sections: [], route, at },
  )
  await screen.findByRole('button', { name: 'Account: mara' })
  const panel = document.querySelector<HTMLElement>('[popover]')
  if (panel === null) throw new Error('there is no panel')
  panel.hidePopover = () => undefined
  act(() => void panel.dispatchEvent(Object.assign(new Event('beforetoggle'), { newState: 'open' })))
  await screen.findByRole('button', { name: 'Sign out', hidden: true })
}
const entry = () => screen.queryByRole('button', { name: 'What can I do on this page', hidden: true })

it.each([
  ['users/$userId', '/users/u7', { ask: 'all', page: 'users/$userId' }],
  ['login-settings', '/login-settings', { ask: 'all', page: 'login-settings' }],
  [
    'spaces/$spaceId/overview',
    '/spaces/s1/overview',
    { ask: 'all', place: 'space', id: 's1', name: 'Space', page: 'spaces/$spaceId/overview' },
  ],
])('tells on %s what one can do there, tabs that it hides included', async (route, at, question) => {
  await open(route, at)
  await userEvent.click(entry() ?? document.body)
  expect(JSON.parse((await screen.findByRole('status')).textContent ?? '')).toEqual(question)
})

it('has no such question on a page where no right opens anything', async () => {
  await open('cloud-automation/$actionId', '/cloud-automation/a1')
  expect(entry()).toBeNull()
})
