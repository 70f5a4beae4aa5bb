import { type DashboardRow, dashboards } from '@quayside/contract/dashboards/endpoints'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { testListPage } from '../../testing/list-page.tsx'
import { type Answers, answer, drawInPortal, serving } from '../../testing/portal.tsx'
import { pageOf } from '../../testing/things.ts'
import { DashboardsPage } from './dashboards-page.tsx'

const at = '2026-01-01T00:00:00.000Z'
const row = (more: Partial<DashboardRow> = {}): DashboardRow => ({
  ...{ id: 'shop1', displayName: 'Shop', description: 'How it runs', tags: ['prod'], ownerId: 'm1', owner: 'mara' },
  ...{ scopes: ['dashboard.view', 'dashboard.manage'], panels: 3, spaceIds: [], starred: false, revision: 1 },
  ...{ createdAt: at, updatedAt: at, updatedBy: 'mara', deletedAt: null },
  ...more,
})

function open(answers: Answers = {}, address = '/', more: Record<string, string[]> = {}) {
  const calls = serving({
    ...answer(dashboards.listDashboards, pageOf(row())),
    ...answer(dashboards.listDashboardTags, { data: [{ tag: 'prod', count: 1 }] }),
    ...answers,
  })
  drawInPortal(<DashboardsPage />, { at: address, more })
  return {
    sent: () => calls.filter(({ method }) => method !== 'GET').map(({ method, path, body }) => [method, path, body]),
  }
}

testListPage({
  open,
  list: dashboards.listDashboards,
  filled: pageOf(row()),
  none: pageOf(),
  label: 'Dashboards',
  row: { Name: /Shop/, Tags: 'prod', Panels: '3', Owner: 'mara' },
  empty: 'No dashboards yet',
})

it('a star is set for the person alone', async () => {
  const { sent } = open(answer(dashboards.starDashboard, undefined as never, { id: 'shop1' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Star Shop' }))
  await waitFor(() => expect(sent()).toEqual([['PUT', '/dashboard/v3/dashboards/shop1/star', { starred: true }]]))
})

it('a dashboard in the trash opens nowhere and is restored', async () => {
  const gone = row({ deletedAt: at })
  const { sent } = open(
    {
      ...answer(dashboards.listDashboards, pageOf(gone)),
      ...answer(
        dashboards.restoreDashboard,
        { ...row(), spec: { duration: '24h', refreshInterval: '0s', panels: {}, layouts: [] } },
        { id: 'shop1' },
      ),
    },
    '/?deleted=true',
  )
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for Shop' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Restore' }))
  await waitFor(() => expect(sent()).toEqual([['POST', '/dashboard/v3/dashboards/shop1/restore', undefined]]))
  expect(screen.queryByRole('link', { name: 'Shop' })).toBeNull()
})

it('a filter that an address names is shown and taken off, also by who may not set it', async () => {
  open({}, '/?orphaned=true')
  await userEvent.click(await screen.findByRole('button', { name: 'Without a manager' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Without a manager' })).toBeNull())
})

it('a dashboard that nobody manages any more is taken over by who may, and by nobody else', async () => {
  const left = row({ scopes: [] })
  const taken = { ...row(), spec: { duration: '24h', refreshInterval: '0s', panels: {}, layouts: [] } }
  const answers = {
    ...answer(dashboards.listDashboards, pageOf(left)),
    ...answer(dashboards.takeOverDashboard, taken, { id: 'shop1' }),
  }
  open(answers, '/')
  await screen.findByText('Shop')
  expect(screen.queryByRole('button', { name: 'Without a manager' })).toBeNull()
  cleanup()
  const { sent } = open(answers, '/', { 'quayside-portal-ui-spaces': ['spaces.manage'] })
  await userEvent.click(await screen.findByRole('button', { name: 'Without a manager' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for Shop' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Take over' }))
  const asked = await screen.findByRole('dialog', { name: 'Take over dashboard' })
  await userEvent.click(within(asked).getByRole('button', { name: 'Confirm' }))
  await waitFor(() => expect(sent()).toEqual([['POST', '/dashboard/v3/dashboards/shop1/take-over', undefined]]))
  expect(screen.queryByRole('link', { name: 'Shop' })).toBeNull()
})
