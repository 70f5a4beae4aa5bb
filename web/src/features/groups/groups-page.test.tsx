import { defaultGroups, type Group, groups } from '@quayside/contract/groups/endpoints'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Answers, answer, drawInPortal, never, Refusal, serving } from '../../testing/portal.tsx'
import { pageOf } from '../../testing/things.ts'
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
    ...answer(groups.findMembers, pageOf(zoe), { id: 'g2' }),
    ...answer(groups.findMembers, pageOf(), { id: 'g3' }),
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
  expect(screen.getByText('Choose a group to see its members.')).toBeDefined()
})

it('shows who is in the group that is chosen', async () => {
  const calls = open()
  await userEvent.click(await screen.findByText('Night watch'))
  const person = await screen.findByRole('listitem')
  expect(person.textContent).toContain('Zoe Kimzoe')
  expect(screen.getByRole('treeitem', { selected: true }).textContent).toContain('Night watch')
  expect(calls.at(-1)?.path).toMatch(/^\/iam\/v3\/groups\/g2\/members\?/)
  await userEvent.click(screen.getByText('Guests'))
  expect(await screen.findByText('This group has no direct members.')).toBeDefined()
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
  open(answer(groups.findMembers, new Refusal(502, 'Keycloak is away'), { id: 'g3' }))
  await userEvent.click(await screen.findByText('Guests'))
  expect((await screen.findByRole('alert', { name: /^Members: / }, { timeout: 4000 })).textContent).toContain(
    'Keycloak is away',
  )
})

it('shows the roles of the chosen group to who may see them', async () => {
  serving({ ...answer(groups.listGroups, { data: tree }), ...answer(groups.findMembers, pageOf(), { id: 'g3' }) })
  drawInPortal(<GroupsPage roles={({ name }) => <p>All of {name}</p>} />, {
    more: { 'quayside-portal-ui-iam-groups': ['groups.roles.view'] },
  })
  await userEvent.click(await screen.findByText('Guests'))
  expect(await screen.findByText('All of Guests')).toBeDefined()
  expect(screen.getByRole('region', { name: 'Roles of Guests' })).toBeDefined()
})

describe('who manages groups', () => {
  const all = [
    'groups.create',
    'groups.edit',
    'groups.delete',
    'groups.default_groups.view',
    'groups.default_groups.manage',
  ]

  function manage(answers: Answers = {}) {
    const calls = serving({
      ...answer(groups.listGroups, { data: tree }),
      ...answer(groups.findMembers, pageOf(), { id: 'g3' }),
      ...answer(groups.findMembers, pageOf(), { id: 'g1' }),
      ...answer(defaultGroups.listDefaultGroups, { data: [{ id: 'g1', name: 'Crew', path: '/Crew' }] }),
      ...answers,
    })
    drawInPortal(<GroupsPage roles={() => null} />, { more: { 'quayside-portal-ui-iam-groups': all } })
    return () => calls.filter(({ method }) => method !== 'GET').map(({ method, path, body }) => [method, path, body])
  }
  const detail = { ...group('g9', 'Pilots', 0), description: '', parentId: null, attributes: null }
  const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))
  const sure = async (title: string) => {
    const question = await screen.findByRole('dialog', { name: title })
    await userEvent.click(within(question).getByRole('button', { name: 'Confirm' }))
  }

  it('makes one at the top, and one in another', async () => {
    const sent = manage({
      ...answer(groups.createGroup, detail),
      ...answer(groups.createSubGroup, detail, { id: 'g3' }),
    })
    await press('New group')
    await press('Create group')
    expect(await screen.findByText('Name required')).toBeDefined()
    await userEvent.type(screen.getByLabelText('Name *'), ' Pilots ')
    await press('Create group')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await userEvent.click(screen.getByText('Guests'))
    await press('New subgroup')
    await userEvent.type(screen.getByLabelText('Name *'), 'Day guests')
    await press('Create group')
    await waitFor(() => expect(sent()).toHaveLength(2))
    expect(sent()).toEqual([
      ['POST', '/iam/v2/groups', { name: 'Pilots', description: '' }],
      ['POST', '/iam/v2/groups/g3/children', { name: 'Day guests', description: '' }],
    ])
  })

  it('moves one, and says why it cannot be', async () => {
    const sent = manage(answer(groups.moveGroup, new Refusal(403, 'You do not hold it.'), { id: 'g1', childId: 'g3' }))
    await userEvent.click(await screen.findByText('Guests'))
    await press('Move')
    await userEvent.click(screen.getByRole('button', { name: /^To/ }))
    expect((await screen.findAllByRole('option')).map(({ textContent }) => textContent)).toEqual([
      '/Crew',
      '/Night watch',
    ])
    await userEvent.click(screen.getByRole('option', { name: '/Crew' }))
    await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Move' }))
    expect((await screen.findByRole('alert', { name: /^Move Guests: / })).textContent).toContain('You do not hold it.')
    expect(sent()).toEqual([['POST', '/iam/v2/groups/g1/children/g3', undefined]])
  })

  it('deletes one after a question that says what goes with it', async () => {
    const sent = manage({
      ...answer(groups.deleteGroup, undefined, { id: 'g1' }),
      ...answer(groups.countMembers, { people: 3 }),
    })
    await userEvent.click(await screen.findByText('Crew'))
    await press('Delete')
    const question = await screen.findByRole('dialog', { name: 'Delete group' })
    expect(question.textContent).toContain('Delete Crew with 1 group below it? 3 people are in it: they stay and lose')
    await userEvent.click(within(question).getByRole('button', { name: 'Cancel' }))
    expect(sent().filter(([method]) => method === 'DELETE')).toEqual([])
    await press('Delete')
    await sure('Delete group')
    await waitFor(() => expect(sent().at(-1)).toEqual(['DELETE', '/iam/v2/groups/g1', undefined]))
  })

  it('puts every new user into one, and no longer into another', async () => {
    const sent = manage({
      ...answer(defaultGroups.addDefaultGroup, undefined, { realm: 'demo', gid: 'g3' }),
      ...answer(defaultGroups.removeDefaultGroup, undefined, { realm: 'demo', gid: 'g1' }),
    })
    await userEvent.click(await screen.findByText('Guests'))
    await press('Default group: off')
    await sure('Default group')
    await userEvent.click(screen.getByText('Crew'))
    await press('Default group: on')
    await waitFor(() => expect(sent()).toHaveLength(2))
    expect(sent().map(([method, path]) => `${method} ${path}`)).toEqual([
      'PUT /iam/v2/realms/default-groups/demo/g3',
      'DELETE /iam/v2/realms/default-groups/demo/g1',
    ])
  })
})
