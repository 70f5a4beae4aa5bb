import { apps } from '@quayside/contract/apps/endpoints'
import { pathOf } from '@quayside/contract/http/path'
import { permissions } from '@quayside/contract/permissions/endpoints'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { useWizards } from '../../api/deployments/wizards.tsx'
import { testListPage } from '../../testing/list-page.tsx'
import { type Answers, answer, drawInPortal, serving } from '../../testing/portal.tsx'
import { anApp, firstOf, pageOf } from '../../testing/things.ts'
import { AppsPage } from './apps-page.tsx'

function Opened() {
  const { request } = useWizards()
  return <output aria-label="wizard">{JSON.stringify(request ?? null)}</output>
}

function open(answers: Answers = {}, { at = '/', roles = ['catalog.deploy', 'catalog.deployments.manage'] } = {}) {
  const calls = serving({
    ...answer(apps.listApps, pageOf(anApp())),
    ...answer(permissions.myScopes, { data: [] }),
    ...answers,
  })
  const { router } = drawInPortal(
    <>
      <AppsPage />
      <Opened />
    </>,
    { at, roles },
  )
  const lists = () => calls.map(({ path }) => path).filter((path) => path.startsWith(`${pathOf(apps.listApps)}?`))
  return { lists, where: () => router.state.location.href }
}
const asked = () => JSON.parse(screen.getByRole('status', { name: 'wizard' }).textContent ?? 'null')
const menu = async (entry: string) => {
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for Tank levels' }))
  return screen.findByRole('menuitem', { name: entry })
}

testListPage({
  open,
  list: apps.listApps,
  filled: pageOf(anApp({ availableVersion: '1.1.0' })),
  none: pageOf(),
  label: 'Apps',
  row: {
    ...{ Name: /Tank levelstank-levels-7app001$/, State: 'Healthy', Space: 'Shop', Cluster: 'North', Revision: '3' },
    ...{ 'Item and version': 'tanks 1.0.0Upgrade available: 1.1.0', Tags: 'sensors' },
  },
  empty: 'No apps yet',
})

it('asks the server for every filter, the order and the page that the address names', async () => {
  const at = '/?q=tank&state=failed&space=8kx2m4a&cluster=c1&kind=app&tag=sensors&sort=-displayName&skip=50'
  const { lists } = open(answer(apps.listApps, firstOf(120, anApp())), { at })
  await screen.findByRole('rowheader')
  for (const part of [
    ...['search=tank', 'filters.state=failed', 'filters.spaceId=8kx2m4a', 'filters.clusterId=c1', 'filters.kind=app'],
    ...['filters.tag=sensors', 'sort.displayName=DESC', 'page.skip=50'],
  ])
    expect(lists()[0]).toContain(part)
})

it('begins at the first page again when the search or the order is another', async () => {
  const { lists, where } = open(answer(apps.listApps, firstOf(120, anApp())), { at: '/?skip=50' })
  await screen.findByRole('rowheader')
  await userEvent.click(screen.getByRole('button', { name: 'State' }))
  await waitFor(() => expect(lists().at(-1)).toContain('sort.state=ASC'))
  expect(where()).toBe('/?sort=state')
  await userEvent.click(within(screen.getByRole('navigation', { name: 'Pages' })).getByRole('button', { name: 'Next' }))
  await waitFor(() => expect(lists().at(-1)).toContain('page.skip=50'))
})

it('says that nothing matches, and takes the filters away', async () => {
  const { where } = open(answer(apps.listApps, pageOf()), { at: '/?q=zzz&state=failed' })
  await userEvent.click(await screen.findByRole('button', { name: 'Clear search and filters' }))
  expect(await screen.findByText('No apps yet')).toBeDefined()
  expect(where()).toBe('/')
})

it('leads from a page that has no apps any more to the first one', async () => {
  const gone = { ...pageOf(), page: { skip: 50, limit: 50, total: 50 } }
  const { where } = open(answer(apps.listApps, gone), { at: '/?skip=50' })
  await userEvent.click(await screen.findByRole('button', { name: 'To the first page' }))
  await waitFor(() => expect(where()).toBe('/'))
})

describe('the menu of a row', () => {
  it.each([
    ['Upgrade', { kind: 'upgrade', appId: '7app001' }],
    ['Rollback', { kind: 'rollback', appId: '7app001' }],
    ['Delete', { kind: 'delete', appId: '7app001' }],
  ])('opens %s', async (entry, request) => {
    open()
    await userEvent.click(await menu(entry))
    await waitFor(() => expect(asked()).toEqual(request))
  })

  it('goes on with an installation that was left', async () => {
    open(answer(apps.listApps, pageOf(anApp({ state: 'assigned', releaseName: null, revision: null }))))
    await userEvent.click(await menu('Deploy'))
    await waitFor(() => expect(asked()).toEqual({ kind: 'deploy', appId: '7app001' }))
  })

  it('is closed to who only looks on', async () => {
    open({}, { roles: ['catalog.deployments.view'] })
    const entry = await menu('Upgrade')
    await waitFor(() => expect(entry.getAttribute('aria-disabled')).toBe('true'))
    await userEvent.click(entry)
    expect(asked()).toBeNull()
  })
})
