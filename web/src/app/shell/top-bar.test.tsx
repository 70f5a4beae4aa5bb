import { cleanup, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { useWhy } from '../../api/permissions/why.tsx'
import { setPreference } from '../../lib/preferences.ts'
import { drawInPortal, serving } from '../../testing/portal.tsx'
import { TopBar } from './top-bar.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  setPreference('direction', 'ltr')
  setPreference('theme', 'app-dark')
})

function open() {
  serving({})
  const onDrawer = vi.fn()
  drawInPortal(<TopBar drawerOpen={false} onDrawer={onDrawer} />, { sections: [] })
  return onDrawer
}

it('turns the page around, and back', async () => {
  open()
  await userEvent.click(await screen.findByRole('button', { name: 'Right to left' }))
  expect(document.documentElement.dir).toBe('rtl')
  expect(screen.queryByRole('button', { name: 'Right to left' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Left to right' }))
  expect(document.documentElement.dir).toBe('ltr')
})

it('makes the page light, and dark again', async () => {
  open()
  const scheme = () => document.documentElement.getAttribute('data-mantine-color-scheme')
  await userEvent.click(await screen.findByRole('button', { name: 'Light theme' }))
  expect(scheme()).toBe('light')
  await userEvent.click(screen.getByRole('button', { name: 'Dark theme' }))
  expect(scheme()).toBe('dark')
})

it('opens the navigation where it is a drawer', async () => {
  const onDrawer = open()
  await userEvent.click(await screen.findByRole('button', { name: 'Main navigation' }))
  expect(onDrawer).toHaveBeenCalledOnce()
})

function WithQuestion() {
  const { question } = useWhy()
  return (
    <>
      <TopBar drawerOpen={false} onDrawer={() => undefined} />
      <output>{JSON.stringify(question)}</output>
    </>
  )
}

it.each([
  ['users/$userId', '/users/u7', { ask: 'all', page: 'users/$userId' }],
  ['login-settings', '/login-settings', { ask: 'all', page: 'login-settings' }],
  [
    'spaces/$spaceId/overview',
    '/spaces/s1/overview',
    { ask: 'all', place: 'space', id: 's1', name: 'Space', page: 'spaces/$spaceId/overview' },
  ],
])('tells on %s what one can do there, hidden tabs included', async (route, at, question) => {
  serving({})
  drawInPortal(<WithQuestion />, { sections: [], route, at })
  await userEvent.click(await screen.findByRole('button', { name: /^Account: / }))
  await userEvent.click(screen.getByRole('button', { name: 'What can I do on this page' }))
  expect(JSON.parse(screen.getByRole('status').textContent ?? '')).toEqual(question)
})

it('has no such question on a page where no right opens anything', async () => {
  serving({})
  drawInPortal(<WithQuestion />, { sections: [], route: 'cloud-automation/$actionId', at: '/cloud-automation/a1' })
  await userEvent.click(await screen.findByRole('button', { name: /^Account: / }))
  expect(screen.queryByRole('button', { name: 'What can I do on this page' })).toBeNull()
})
