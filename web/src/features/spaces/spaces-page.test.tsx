import { pathOf } from '@quayside/contract/http/path'
import { permissions } from '@quayside/contract/permissions/endpoints'
import type { Scope } from '@quayside/contract/permissions/scopes'
import { spaces } from '@quayside/contract/spaces/endpoints'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { testListPage } from '../../testing/list-page.tsx'
import { type Answers, answer, drawInPortal, Refusal, serving } from '../../testing/portal.tsx'
import { aSpace, pageOf } from '../../testing/things.ts'
import { SpacesPage } from './spaces-page.tsx'

const mine = aSpace({ scopes: ['space.view', 'space.edit', 'space.delete'] })

function open(answers: Answers = {}, { at = '/', more = ['apps.create'] } = {}) {
  const calls = serving({
    ...answer(spaces.listSpaces, pageOf(mine)),
    ...answer(permissions.myScopes, { data: [{ spaceId: mine.id, scopes: mine.scopes as Scope[] }] }),
    ...answers,
  })
  const { router } = drawInPortal(
    <SpacesPage roles={<p>All roles</p>} requests={<p>All requests</p>} firstMembers={() => null} />,
    { at, more: { 'quayside-portal-ui-apps': more } },
  )
  const lists = () => calls.map(({ path }) => path).filter((path) => path.startsWith(`${pathOf(spaces.listSpaces)}?`))
  return { calls, lists, where: () => router.state.location.href }
}
const menu = async (entry: string) => {
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for Shop' }))
  return screen.findByRole('menuitem', { name: entry })
}

testListPage({
  open,
  list: spaces.listSpaces,
  filled: pageOf(mine),
  none: pageOf(),
  label: 'Spaces',
  row: { Name: /Shop8kx2m4a$/, Namespace: 'shop-8kx2m4a', Apps: '1', Clusters: 'North' },
  empty: 'No spaces yet',
})

it('asks the server for another order and the next page', async () => {
  const { lists } = open(answer(spaces.listSpaces, { ...pageOf(mine), page: { skip: 0, limit: 100, total: 320 } }))
  await screen.findByRole('rowheader')
  await userEvent.click(screen.getByRole('button', { name: 'Namespace' }))
  await waitFor(() => expect(lists().at(-1)).toContain('sort.name=ASC'))
  await userEvent.click(within(screen.getByRole('navigation', { name: 'Pages' })).getByRole('button', { name: 'Next' }))
  await waitFor(() => expect(lists().at(-1)).toContain('page.skip=100'))
})

it('deletes a space after a question, and reads the list again', async () => {
  const { calls, lists } = open(
    answer(spaces.deleteSpace, { actionId: 'action-9', state: 'accepted' }, { id: mine.id }),
  )
  await menu('Delete')
  await waitFor(() => expect(screen.getByRole('menuitem', { name: 'Delete' }).getAttribute('aria-disabled')).toBeNull())
  await userEvent.click(screen.getByRole('menuitem', { name: 'Delete' }))
  const question = await screen.findByRole('dialog')
  expect(question.textContent).toContain('Shop')
  expect(calls.some(({ method }) => method === 'DELETE')).toBe(false)
  const before = lists().length
  await userEvent.click(within(question).getByRole('button', { name: 'Confirm' }))
  await waitFor(() => expect(lists().length).toBeGreaterThan(before))
  expect(calls.filter(({ method }) => method === 'DELETE').map(({ path }) => path)).toEqual([
    '/portal-api/v3/spaces/8kx2m4a',
  ])
})

it('says why a space is not deleted', async () => {
  open(answer(spaces.deleteSpace, new Refusal(409, 'Apps are in it'), { id: mine.id }))
  await menu('Delete')
  await waitFor(() => expect(screen.getByRole('menuitem', { name: 'Delete' }).getAttribute('aria-disabled')).toBeNull())
  await userEvent.click(screen.getByRole('menuitem', { name: 'Delete' }))
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Confirm' }))
  await waitFor(() => expect(screen.getByRole('dialog').textContent).toContain('Apps are in it'))
})

it('is closed to who only looks on', async () => {
  open(answer(permissions.myScopes, { data: [] }), { more: ['access'] })
  await menu('Edit')
  await waitFor(() => expect(screen.getByRole('menuitem', { name: 'Edit' }).getAttribute('aria-disabled')).toBe('true'))
  expect(screen.getByRole('menuitem', { name: 'Delete' }).getAttribute('aria-disabled')).toBe('true')
  expect(screen.getByRole('button', { name: 'New space' }).getAttribute('aria-disabled')).toBe('true')
})

it('keeps the tab in the address', async () => {
  const { where } = open()
  await userEvent.click(await screen.findByRole('tab', { name: 'Roles' }))
  expect(await screen.findByText('All roles')).toBeDefined()
  expect(where()).toBe('/?tab=roles')
})
