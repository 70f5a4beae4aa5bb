import { apps } from '@quayside/contract/apps/endpoints'
import { clusters } from '@quayside/contract/clusters/endpoints'
import { deployments } from '@quayside/contract/deployments/endpoints'
import { permissions } from '@quayside/contract/permissions/endpoints'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { useWizards } from '../../api/deployments/wizards.tsx'
import { type Answers, answer, drawInPortal, never, Refusal, serving } from '../../testing/portal.tsx'
import { anApp, pageOf } from '../../testing/things.ts'
import { AppPage } from './app-page.tsx'

const id = { id: '7app001' }

function Opened() {
  const { request } = useWizards()
  return <output aria-label="wizard">{JSON.stringify(request ?? null)}</output>
}

function open(
  answers: Answers = {},
  { at = '/apps/7app001?tab=settings', roles = ['catalog.deployments.manage'] } = {},
) {
  serving({
    ...answer(apps.getApp, anApp(), id),
    ...answer(permissions.myScopes, { data: [] }),
    ...answer(deployments.listActions, pageOf()),
    ...answer(deployments.revisions, { data: [] }, id),
    ...answer(clusters.pods, { data: [] }, id),
    ...answers,
  })
  const { router } = drawInPortal(
    <>
      <AppPage metrics={() => <p>The metrics</p>} logs={() => <p>The logs</p>} refused={() => <p>Refused instead</p>} />
      <Opened />
    </>,
    { route: 'apps/$appId', at, roles },
  )
  return { where: () => router.state.location.href }
}
const asked = () => JSON.parse(screen.getByRole('status', { name: 'wizard' }).textContent ?? 'null')
const tabs = () => screen.getAllByRole('tab').map(({ textContent }) => textContent)
const title = () => screen.findByRole('heading', { level: 1 })

it('shows the app with its names, its state and its tabs', async () => {
  open()
  expect((await title()).textContent).toBe('Tank levels')
  expect(screen.getByText('tank-levels-7app001')).toBeDefined()
  expect(screen.getByText('shop-8kx2m4a')).toBeDefined()
  expect(screen.getByText('Healthy')).toBeDefined()
  expect(tabs()).toEqual([
    'Overview',
    'Workloads',
    'Logs',
    'Metrics',
    'Scaling & limits',
    'Values',
    'Revisions',
    'Settings',
  ])
  expect(screen.getByRole('link', { name: 'All actions' }).getAttribute('href')).toBe('/cloud-automation?app=7app001')
})

it.each([
  ['Upgrade', { kind: 'upgrade', appId: '7app001' }],
  ['Rollback', { kind: 'rollback', appId: '7app001' }],
  ['Delete', { kind: 'delete', appId: '7app001' }],
])('%s opens its wizard', async (name, request) => {
  open()
  await userEvent.click(await screen.findByRole('button', { name }))
  await waitFor(() => expect(asked()).toEqual(request))
})

it('names the version that waits, and nothing to roll back to where there is none', async () => {
  open(answer(apps.getApp, anApp({ availableVersion: '1.1.0', revision: 1 }), id))
  expect(await screen.findByRole('button', { name: 'Upgrade to 1.1.0' })).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Rollback' })).toBeNull()
})

it('of which nothing runs yet has its settings alone, and goes on with its installation', async () => {
  open(answer(apps.getApp, anApp({ releaseName: null, state: 'assigned', revision: null }), id), {
    roles: ['catalog.deploy'],
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Deploy' }))
  await waitFor(() => expect(asked()).toEqual({ kind: 'deploy', appId: '7app001' }))
  expect(tabs()).toEqual(['Settings'])
})

it('keeps its commands closed to who only looks on', async () => {
  open({}, { roles: ['catalog.deployments.view'] })
  await title()
  for (const name of ['Upgrade', 'Rollback', 'Delete']) {
    const button = () => screen.getByRole('button', { name })
    await waitFor(() => expect(button().getAttribute('aria-disabled')).toBe('true'))
    await userEvent.click(button())
  }
  expect(asked()).toBeNull()
})

it('keeps the tab in the address', async () => {
  const { where } = open()
  await userEvent.click(await screen.findByRole('tab', { name: 'Revisions' }))
  await waitFor(() => expect(where()).toBe('/apps/7app001?tab=revisions'))
})

it('shows that it loads', async () => {
  open(answer(apps.getApp, never, id))
  expect(await screen.findByText('Loading')).toBeDefined()
})

it('leaves it to the page what stands in place of an app that cannot be seen', async () => {
  open(answer(apps.getApp, new Refusal(404, 'This app does not exist'), id))
  expect(await screen.findByText('Refused instead')).toBeDefined()
})

it.each([
  [500, 'The database is away'],
  [403, 'You need the role access'],
])('says why it could not be read, and reads it again when asked: %i', async (status, reason) => {
  const answers = [new Refusal(status, reason)]
  open(answer(apps.getApp, () => answers.shift() ?? anApp(), id))
  const alert = await screen.findByRole('alert', { name: /^App: / })
  expect(alert.textContent).toContain(reason)
  await userEvent.click(within(alert).getByRole('button', { name: 'Try again' }))
  expect((await title()).textContent).toBe('Tank levels')
})
