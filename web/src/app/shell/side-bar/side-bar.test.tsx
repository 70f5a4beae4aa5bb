import { apps } from '@quayside/contract/apps/endpoints'
import { sidebar } from '@quayside/contract/sidebar/endpoints'
import { spaces } from '@quayside/contract/spaces/endpoints'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { setPreference } from '../../../lib/preferences.ts'
import { answer, drawInPortal, serving } from '../../../testing/portal.tsx'
import { anApp, aSpace, firstOf } from '../../../testing/things.ts'
import { SideBar } from './side-bar.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  setPreference('sideBar', 'full')
})

function open({ sections = ['apps', 'spaces', 'dashboards'], drawerOpen = false } = {}) {
  const calls = serving({
    ...answer(apps.listApps, firstOf(12, anApp())),
    ...answer(spaces.listSpaces, firstOf(3, aSpace())),
    ...answer(sidebar.getMenu, { data: [] }),
  })
  const onClose = vi.fn()
  drawInPortal(<SideBar drawerOpen={drawerOpen} onClose={onClose} />, { sections, roles: [], at: '/apps' })
  return { calls, onClose }
}
const section = async (name: string) => within(await screen.findByRole('region', { name }))

it('leads to what the person may open, with how many there are', async () => {
  open()
  const manage = await section('MANAGE')
  await waitFor(() =>
    expect(manage.getAllByRole('link').map((link) => [link.getAttribute('href'), link.textContent])).toEqual([
      ['/apps', 'Apps12'],
      ['/spaces', 'Spaces3'],
      ['/dashboards', 'Dashboards'],
    ]),
  )
  expect(manage.getByRole('link', { current: 'page' }).textContent).toBe('Apps12')
})

it('shows and counts nothing of what is closed', async () => {
  const { calls } = open({ sections: [] })
  await section('Start')
  expect(screen.queryByRole('region', { name: 'MANAGE' })).toBeNull()
  expect(calls.filter(({ path }) => !path.includes('/menu'))).toEqual([])
})

it('folds to icons that keep their names, and unfolds', async () => {
  open()
  await userEvent.click(await screen.findByRole('button', { name: 'Collapse the side bar' }))
  expect(document.documentElement.getAttribute('data-side-bar')).toBe('icons')
  expect(screen.getByRole('link', { name: 'Spaces' })).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Expand the side bar' }))
  expect(document.documentElement.getAttribute('data-side-bar')).toBe('full')
})

it('closes as a drawer by Escape and by a press beside it, and listens to nothing afterwards', async () => {
  const { onClose } = open({ drawerOpen: true })
  await userEvent.click(await screen.findByRole('button', { name: 'Close navigation' }))
  await userEvent.keyboard('{Escape}')
  expect(onClose).toHaveBeenCalledTimes(2)
  cleanup()
  await userEvent.keyboard('{Escape}')
  expect(onClose).toHaveBeenCalledTimes(2)
})
