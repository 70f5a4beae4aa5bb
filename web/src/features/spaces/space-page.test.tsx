import { apps } from '@quayside/contract/apps/endpoints'
import { clusters } from '@quayside/contract/clusters/endpoints'
import { pathOf } from '@quayside/contract/http/path'
import { permissions } from '@quayside/contract/permissions/endpoints'
import type { Scope } from '@quayside/contract/permissions/scopes'
import { spaces } from '@quayside/contract/spaces/endpoints'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { type Answers, answer, drawInPortal, never, Refusal, serving } from '../../testing/portal.tsx'
import { anApp, aSpace, firstOf, pageOf } from '../../testing/things.ts'
import { SpacePage } from './space-page.tsx'

const id = { id: '8kx2m4a' }
const all: Scope[] = ['space.view', 'space.edit', 'space.delete', 'space.members', 'space.deploy', 'app.view']

function open(answers: Answers = {}, held: Scope[] = all) {
  const calls = serving({
    ...answer(spaces.getSpace, aSpace({ scopes: held }), id),
    ...answer(permissions.myScopes, { data: [{ spaceId: id.id, scopes: held }] }),
    ...answer(apps.listApps, pageOf(anApp())),
    ...answer(clusters.names, { data: [] } as never),
    ...answers,
  })
  const { router } = drawInPortal(
    <SpacePage
      logs={() => <p>The logs</p>}
      metrics={() => <p>The metrics</p>}
      exemptField={() => null}
      members={() => <p>Members of the space</p>}
      kubeconfigs={() => <p>Kubeconfigs of the space</p>}
      refused={() => <p>Refused instead</p>}
    />,
    { route: 'spaces/$spaceId/overview', at: '/spaces/8kx2m4a/overview', roles: [] },
  )
  const reads = () =>
    calls.filter(({ method, path }) => method === 'GET' && path === pathOf(spaces.getSpace, id)).length
  const lists = () => calls.map(({ path }) => path).filter((path) => path.startsWith(`${pathOf(apps.listApps)}?`))
  return { calls, reads, lists, where: () => router.state.location.href }
}
const title = () => screen.findByRole('heading', { level: 1, name: 'Shop' })

it('lists its apps under their titles, by the server', async () => {
  const { lists } = open(answer(apps.listApps, firstOf(120, anApp())))
  const table = await screen.findByRole('table', { name: 'Apps of this space' })
  await within(table).findByRole('rowheader')
  const cells = within(table)
    .getAllByRole('row')
    .map((row) => [...row.children].slice(0, 5).map(({ textContent }) => textContent))
  expect(cells).toEqual([
    ['App', 'State', 'Cluster', 'Item and version', 'Tags'],
    [expect.stringMatching(/Tank levelstank-levels-7app001$/), 'Healthy', 'North', 'tanks 1.0.0', 'sensors'],
  ])
  expect(lists()[0]).toContain('filters.spaceId=8kx2m4a')
  await userEvent.click(within(table).getByRole('button', { name: 'State' }))
  await waitFor(() => expect(lists().at(-1)).toContain('sort.state=ASC'))
  await userEvent.click(within(screen.getByRole('navigation', { name: 'Pages' })).getByRole('button', { name: 'Next' }))
  await waitFor(() => expect(lists().at(-1)).toContain('page.skip=50'))
})

it('says that no app is in it', async () => {
  open(answer(apps.listApps, pageOf()))
  expect(await screen.findByText('No apps in this space')).toBeDefined()
})

it('is changed with exactly what was typed, and read again', async () => {
  const { calls, reads } = open(answer(spaces.updateSpace, aSpace(), id))
  await title()
  await waitFor(() => expect(screen.getByRole('button', { name: 'Edit' }).getAttribute('aria-disabled')).toBeNull())
  await userEvent.click(screen.getByRole('button', { name: 'Edit' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit space' }))
  await userEvent.clear(dialog.getByLabelText(/^Name/))
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  expect(await dialog.findByText('Name required')).toBeDefined()
  await userEvent.type(dialog.getByLabelText(/^Name/), ' Harbour shop ')
  await userEvent.clear(dialog.getByLabelText('Description'))
  const before = reads()
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(calls.filter(({ method }) => method === 'PUT').map(({ path, body }) => [path, body])).toEqual([
    ['/portal-api/v3/spaces/8kx2m4a', { displayName: 'Harbour shop', description: '', clusterIds: ['c1'] }],
  ])
  await waitFor(() => expect(reads()).toBeGreaterThan(before))
})

it('keeps its commands closed to who only looks on', async () => {
  open({}, ['space.view', 'app.view'])
  await title()
  for (const name of ['Edit', 'Delete', 'Deploy app'])
    await waitFor(() => expect(screen.getAllByRole('button', { name })[0]?.getAttribute('aria-disabled')).toBe('true'))
  expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual([
    'Overview',
    'Logs',
    'Metrics',
    'Members',
  ])
})

it('keeps the tab in the address', async () => {
  const { where } = open()
  await userEvent.click(await screen.findByRole('tab', { name: 'Members' }))
  expect(await screen.findByText('Members of the space')).toBeDefined()
  expect(where()).toBe('/spaces/8kx2m4a/overview?tab=members')
  await userEvent.click(screen.getByRole('tab', { name: 'Kubeconfigs' }))
  expect(await screen.findByText('Kubeconfigs of the space')).toBeDefined()
})

const freeze = {
  ...{ reason: 'Quarter end', until: null, by: 'ann', at: '2026-01-01T00:00:00Z' },
  exempt: [{ id: 'ines', name: 'Ines Weber' }],
}

it('is frozen with a reason, which is asked for', async () => {
  const path = pathOf(spaces.freezeSpace, id)
  const { calls } = open(answer(spaces.freezeSpace, () => aSpace({ freeze }), id))
  await userEvent.click(await screen.findByRole('button', { name: 'Freeze' }))
  const dialog = await screen.findByRole('dialog', { name: 'Freeze deployments' })
  await userEvent.click(within(dialog).getByRole('button', { name: 'Freeze' }))
  expect(within(dialog).getByText('Reason required')).toBeDefined()
  await userEvent.type(within(dialog).getByRole('textbox', { name: /^Reason/ }), ' Quarter end ')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Freeze' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(calls.find((call) => call.path === path)).toMatchObject({
    method: 'PUT',
    body: { reason: 'Quarter end', until: null, exempt: [] },
  })
})

it('says that it is frozen, why and for whom, and who may edit it ends that', async () => {
  const path = pathOf(spaces.unfreezeSpace, id)
  const { calls } = open({
    ...answer(spaces.getSpace, aSpace({ freeze, scopes: all }), id),
    ...answer(spaces.unfreezeSpace, aSpace(), id),
  })
  const note = await screen.findByRole('alert')
  expect(note.textContent).toContain('Deployments in this space are frozen')
  expect(note.textContent).toContain('Quarter end')
  expect(note.textContent).toContain('Frozen by ann. Only Ines Weber can deploy')
  expect(screen.getByRole('button', { name: 'Change freeze' })).toBeDefined()
  await userEvent.click(within(note).getByRole('button', { name: 'End freeze' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Confirm' }))
  await waitFor(() => expect(calls.some((call) => call.method === 'DELETE' && call.path === path)).toBe(true))
})

it('shows that it loads', async () => {
  open(answer(spaces.getSpace, never, id))
  expect(await screen.findByText('Loading')).toBeDefined()
})

it('leaves it to the page what stands in place of a space that cannot be seen', async () => {
  open(answer(spaces.getSpace, new Refusal(404, 'This space does not exist'), id))
  expect(await screen.findByText('Refused instead')).toBeDefined()
})

it.each([
  [500, 'The database is away'],
  [403, 'You need the role access'],
])('says why it could not be read, and reads it again when asked: %i', async (status, reason) => {
  const answers = [new Refusal(status, reason)]
  open(answer(spaces.getSpace, () => answers.shift() ?? aSpace(), id))
  const alert = await screen.findByRole('alert', { name: /^Space: / })
  expect(alert.textContent).toContain(reason)
  await userEvent.click(within(alert).getByRole('button', { name: 'Try again' }))
  await title()
})
