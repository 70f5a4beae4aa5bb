import { apps } from '@quayside/contract/apps/endpoints'
import { catalog } from '@quayside/contract/catalog/endpoints'
import { clusters } from '@quayside/contract/clusters/endpoints'
import { deployments } from '@quayside/contract/deployments/endpoints'
import { spaces } from '@quayside/contract/spaces/endpoints'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { useWizards } from '../../api/deployments/wizards.tsx'
import { type Answers, answer, drawInPortal, Refusal, serving } from '../../testing/portal.tsx'
import { aCluster, anAction, anApp, anItem, aSpace, firstOf, pageOf } from '../../testing/things.ts'
import { HomePage } from './home-page.tsx'

function Opened() {
  const { request } = useWizards()
  return <output aria-label="wizard">{JSON.stringify(request ?? null)}</output>
}

function open(answers: Answers = {}, sections = ['apps', 'spaces', 'clusters']) {
  const calls = serving({
    ...answer(apps.listApps, ({ path }) =>
      path.includes('degraded') ? pageOf(anApp({ state: 'failed', stateMessage: 'It crashes' })) : firstOf(12, anApp()),
    ),
    ...answer(spaces.listSpaces, firstOf(3, aSpace())),
    ...answer(
      clusters.list,
      firstOf(2, aCluster(), aCluster({ id: 'c2', displayName: 'South', health: 'unreachable' })),
    ),
    ...answer(catalog.listItems, firstOf(9, anItem())),
    ...answer(deployments.listActions, ({ path }) => (path.includes('Failed') ? pageOf() : pageOf(anAction()))),
    ...answers,
  })
  drawInPortal(
    <>
      <HomePage />
      <Opened />
    </>,
    { sections, roles: sections.length > 0 ? ['catalog.view'] : [] },
  )
  return calls
}
const panel = async (name: string) => (await screen.findByRole('heading', { name })).closest('section') as HTMLElement

it('counts what there is, each under its name', async () => {
  open()
  const counts = await screen.findByRole('list', { name: 'Counts' })
  await waitFor(() =>
    expect(
      within(counts)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(['Apps1212 healthy1 need attention', 'Spaces3', 'Clusters21 healthy1 need attention', 'Catalog apps9']),
  )
})

it('names what needs a look, with the way there', async () => {
  open()
  const things = within(await panel('Needs attention'))
  expect((await things.findByRole('link', { name: 'Tank levels' })).getAttribute('href')).toBe('/apps/7app001')
  expect(things.getByText('It crashes')).toBeDefined()
  expect(things.getByRole('link', { name: 'South' }).getAttribute('href')).toBe('/clusters/c2')
})

it('follows what was done last', async () => {
  open()
  await userEvent.click(await screen.findByRole('button', { name: 'Upgrade Tank levels 1.0.0' }))
  await waitFor(() =>
    expect(JSON.parse(screen.getByRole('status', { name: 'wizard' }).textContent ?? '')).toEqual({
      ...{ kind: 'follow', actionId: 'action-1' },
    }),
  )
})

it('says that all is well, and that nothing was done', async () => {
  open({
    ...answer(apps.listApps, pageOf()),
    ...answer(clusters.list, pageOf()),
    ...answer(deployments.listActions, pageOf()),
  })
  expect(await screen.findByText('All is well')).toBeDefined()
  expect(await screen.findByText('Nothing deployed yet')).toBeDefined()
})

it('says why something could not be read, and reads it again when asked', async () => {
  let isAway = true
  open(
    answer(deployments.listActions, () => (isAway ? new Refusal(403, 'You need the role access') : pageOf(anAction()))),
  )
  const alert = await screen.findByRole('alert', { name: /^Recent deployments: / })
  expect(alert.textContent).toContain('You need the role access')
  isAway = false
  await userEvent.click(within(alert).getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('button', { name: 'Upgrade Tank levels 1.0.0' })).toBeDefined()
})

it('says what to do to who may open nothing, and asks the server for none of it', async () => {
  const calls = open({}, [])
  expect(await screen.findByText('You do not have access to anything yet')).toBeDefined()
  expect(calls.filter(({ path }) => !path.endsWith('/scopes/mine'))).toEqual([])
})
