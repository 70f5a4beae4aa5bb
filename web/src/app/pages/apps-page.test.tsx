import { appLinks } from '@quayside/contract/app-links/endpoints'
import { apps } from '@quayside/contract/apps/endpoints'
import { permissions } from '@quayside/contract/permissions/endpoints'
import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { answer, drawInPortal, serving } from '../../testing/portal.tsx'
import { pageOf } from '../../testing/things.ts'
import { AppsWithLinks } from './apps-page.tsx'

it('has a tab for apps and one for links, each with an address of its own', async () => {
  serving({
    ...answer(apps.listApps, pageOf()),
    ...answer(appLinks.listAppLinks, pageOf()),
    ...answer(permissions.myScopes, { data: [] }),
  })
  const { router } = drawInPortal(<AppsWithLinks />, { at: '/?q=tank&state=failed&sort=-state&skip=50' })
  await userEvent.click(await screen.findByRole('tab', { name: 'App links' }))
  expect(await screen.findByRole('heading', { level: 1, name: /^App links/ })).toBeDefined()
  expect(router.state.location.href).toBe('/?tab=links')
  expect(screen.getByRole('tab', { name: 'App links' }).getAttribute('aria-selected')).toBe('true')
  await userEvent.click(screen.getByRole('tab', { name: 'Apps' }))
  await waitFor(() => expect(screen.getByRole('heading', { level: 1, name: /^Apps/ })).toBeDefined())
  expect(router.state.location.href).toBe('/')
})
