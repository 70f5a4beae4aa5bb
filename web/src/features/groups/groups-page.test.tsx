import { type Group, groups } from '@quayside/contract/groups/endpoints'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { type Answers, answer, drawInPortal, never, Refusal, serving } from '../../testing/portal.tsx'
import { GroupsPage } from './groups-page.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  document.documentElement.dir = ''
})

const group = (id: string, name: string, memberCount: number, subGroups: Group[] = []): Group => ({
  ...{ id, name, path: `/${name}`, memberCount, subGroups },
})
const tree = [group('g1', 'Crew', 1, [group('g2', 'Night watch', 2)]), group('g3', 'Guests', 0)]
const zoe = {
  ...{ id: 'u1', username: 'zoe', email: null, firstName: 'Zoe', lastName: 'Kim' },
  enabled: true,
  createdAt: null,
}

function open(answers: Answers = {}) {
  const calls = serving({
    ...answer(groups.listGroups, { data: tree }),
    ...answer(groups.groupMembers, { data: [zoe] }, { id: 'g2' }),
    ...answer(groups.groupMembers, { data: [] }, { id: 'g3' }),
    ...answers,
  })
  drawInPortal(<GroupsPage roles={() => <p>Roles of it</p>} />)
  return calls
}
const items = () => screen.getAllByRole('treeitem').map(({ textContent }) => textContent)

it('shows the tree with paths and members, and counts all of it', async () => {
  open()
  await screen.findByRole('tree', { name: 'Groups' })
  expect(items()).toEqual(['Crew/Crew1 member', 'Night watch/Night watch2 members', 'Guests/Guests0 members'])
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Groups 3')
  expect(screen.getByText('Choose a group to see who is in it.')).toBeDefined()
})

it('shows who is in the group that is chosen', async () => {
  const calls = open()
  await userEvent.click(await screen.findByText('Night watch'))
  const person = await screen.findByRole('listitem')
  expect(person.textContent).toContain('Zoe Kimzoe')
  expect(screen.getByRole('treeitem', { selected: true }).textContent).toContain('Night watch')
  expect(calls.at(-1)?.path).toBe('/iam/v2/groups/g2/members')
  await userEvent.click(screen.getByText('Guests'))
  expect(await screen.findByText('Nobody is in this group itself.')).toBeDefined()
})

it.each([
  ['ltr', '{ArrowLeft}', '{ArrowRight}'],
  ['rtl', '{ArrowRight}', '{ArrowLeft}'],
])('opens and closes by the keys of its direction: %s', async (dir, close, reopen) => {
  document.documentElement.dir = dir
  open()
  await screen.findByRole('tree')
  screen.getAllByRole('treeitem')[0]?.focus()
  await userEvent.keyboard(close)
  expect(items()).toHaveLength(2)
  await userEvent.keyboard(reopen)
  expect(items()).toHaveLength(3)
  await userEvent.keyboard('{ArrowDown}{Enter}')
  expect((await screen.findByRole('treeitem', { selected: true })).textContent).toContain('Night watch')
})

it('finds groups by their names', async () => {
  open()
  await screen.findByRole('tree')
  await userEvent.type(screen.getByRole('searchbox', { name: 'Search: Group name' }), 'guest')
  await waitFor(() => expect(items()).toEqual(['Guests/Guests0 members']))
  await userEvent.type(screen.getByRole('searchbox', { name: 'Search: Group name' }), 'zzz')
  expect(await screen.findByText('No group matches')).toBeDefined()
})

it('says that there is none, and that it loads', async () => {
  open(answer(groups.listGroups, { data: [] }))
  expect(await screen.findByText('No groups')).toBeDefined()
  cleanup()
  open(answer(groups.listGroups, never))
  expect((await screen.findByRole('status')).textContent).toBe('Loading')
})

it.each([
  [500, 'The identity server is away'],
  [403, 'You need the role groups.view'],
])('says why it could not be read, and reads it again when asked: %i', async (status, reason) => {
  const answers = [new Refusal(status, reason)]
  open(answer(groups.listGroups, () => answers.shift() ?? { data: tree }))
  const alert = await screen.findByRole('alert', { name: /^Groups: / })
  expect(alert.textContent).toContain(reason)
  await userEvent.click(within(alert).getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('tree')).toBeDefined()
})

it('says why members could not be read', async () => {
  open(answer(groups.groupMembers, new Refusal(502, 'Keycloak is away'), { id: 'g3' }))
  await userEvent.click(await screen.findByText('Guests'))
  expect((await screen.findByRole('alert', { name: /^Members: / }, { timeout: 4000 })).textContent).toContain(
    'Keycloak is away',
  )
})

it('shows the roles of the chosen group to who may see them', async () => {
  serving({ ...answer(groups.listGroups, { data: tree }), ...answer(groups.groupMembers, { data: [] }) })
  drawInPortal(<GroupsPage roles={({ name }) => <p>All of {name}</p>} />, {
    more: { 'quayside-portal-ui-iam-groups': ['groups.roles.view'] },
  })
  await userEvent.click(await screen.findByText('Guests'))
  expect(await screen.findByText('All of Guests')).toBeDefined()
  expect(screen.getByRole('region', { name: 'Roles of Guests' })).toBeDefined()
})
