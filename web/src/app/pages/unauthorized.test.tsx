import { explaining } from '@quayside/contract/permissions/explain'
import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { explanation } from '../../features/permissions/testing/team.ts'
import { answer, drawInPortal, Refusal, serving } from '../../testing/portal.tsx'
import { ExplainedApp } from './app-page.tsx'
import { Forbidden, NotFound } from './plain-pages.tsx'
import { SpaceWithMembers } from './space-page.tsx'
import { Unauthorized } from './unauthorized.tsx'

it('a page that did not open offers to sign in as somebody else', async () => {
  serving({})
  const { session } = drawInPortal(<Unauthorized />)
  expect(await screen.findByRole('heading', { name: 'You do not have access to this page' })).toBeDefined()
  expect(screen.getByRole('link', { name: 'Back to Home' }).getAttribute('href')).toBe('/home')
  await userEvent.click(screen.getByRole('button', { name: 'Sign in as someone else' }))
  expect(session.signOut).toHaveBeenCalledOnce()
})

it.each([
  ['an app', <ExplainedApp key="app" />, 'apps/$appId', '/apps/7app001', 'app.view'],
  ['a space', <SpaceWithMembers key="space" />, 'spaces/$spaceId/overview', '/spaces/7app001/overview', 'space.view'],
])('%s that cannot be seen says why, and how to ask for it', async (_, page, route, at, scope) => {
  const calls = serving({
    'GET /portal-api/v2/apps/': new Refusal(404, 'not there'),
    'GET /portal-api/v3/spaces/': new Refusal(404, 'not there'),
    ...answer(explaining.explain, explanation()),
  })
  drawInPortal(page, { route, at })
  expect(await screen.findByRole('button', { name: 'Ask for access' })).toBeDefined()
  expect(calls.map(({ path }) => path).find((path) => path.includes('/explain'))).toContain(`scope=${scope}`)
})

it.each([
  ['There is no such page', <NotFound key="gone" />],
  ['This is not allowed', <Forbidden key="no" />],
])('"%s" leads home', async (name, page) => {
  drawInPortal(page)
  expect(await screen.findByRole('heading', { level: 1, name })).toBeDefined()
  expect(screen.getByRole('link', { name: 'Back to Home' }).getAttribute('href')).toBe('/home')
})
