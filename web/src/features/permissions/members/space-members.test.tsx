import type { Permission } from '@quayside/contract/permissions/permission-entry'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { drawInPortal, Refusal, serving } from '../../../testing/portal.tsx'
import { entry, group, member, myScopes, page, person, request, roles, shop } from '../testing/team.ts'
import { SpaceMembers } from './space-members.tsx'

const path = '/portal-api/v3/spaces/shop123'
const ines = entry(person('ines', 'Ines Duarte'), 'manager', { owner: true })
const guests = entry(group('guests', 'Guests'), 'viewer')
const soon = () => new Date(Date.now() + 3 * 3_600_000 + 5000).toISOString()

/** The Members tab over a list that changes as the server's does. */
function open({ space = shop(), list = [ines, guests] as Permission[], answers = {} } = {}) {
  const kept = { list }
  const calls = serving({
    'GET /portal-api/v3/scopes/mine': myScopes(space),
    'GET /portal-api/v3/space-roles': { data: roles },
    'GET /portal-api/v3/access-requests': page(),
    'GET /portal-api/v3/access-requests/mine': page(),
    'GET /iam/v2/roles': { data: [{ name: 'quayside-viewer' }] },
    [`GET ${path}/permissions`]: () => ({ data: kept.list }),
    [`GET ${path}/principals`]: { data: [person('ravi', 'Ravi Sandoval')] },
    ...answers,
  })
  drawInPortal(<SpaceMembers space={space} />, { roles: [] })
  return { calls, kept }
}

const row = async (name: string) => screen.findByRole('row', { name: new RegExp(name) })

it('says of each entry who it is, which role, who owns, and when it ends', async () => {
  open({ list: [ines, entry(person('gil', 'Gil Amari'), 'viewer', { expiresAt: soon() }), guests] })
  expect((await row('Ines Duarte')).textContent).toMatch(/Manager.*owner.*Mara Keller/)
  expect((await row('Gil Amari')).textContent).toMatch(/Viewer.*ends in 3 h/)
  expect((await row('Guests')).textContent).toMatch(/\/Teams\/Guests.*Viewer/)
  expect((await row('Guests')).textContent).not.toContain('owner')
})

it('adds who was found with the chosen role, and shows them at once', async () => {
  const ravi = entry(person('ravi', 'Ravi Sandoval'), 'deployer')
  const { calls, kept } = open({
    answers: {
      [`POST ${path}/permissions`]: () => {
        kept.list = [ines, guests, ravi]
        return ravi
      },
    },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Add members' }))
  const dialog = await screen.findByRole('dialog', { name: 'Add members' })
  const submit = within(dialog).getByRole('button', { name: 'Add member' })
  expect(submit).toHaveProperty('disabled', true)
  await userEvent.type(within(dialog).getByRole('textbox', { name: /People, groups/ }), 'ravi')
  await userEvent.click(await within(dialog).findByRole('option', { name: /Ravi Sandoval/ }))
  await userEvent.click(within(dialog).getByRole('button', { name: /^Role here/ }))
  await userEvent.click(await screen.findByRole('option', { name: /^Deployer/ }))
  await userEvent.click(submit)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
    ...{ principal: { type: 'user', id: 'ravi' }, role: 'deployer', owner: false, expiresAt: null },
  })
  expect((await row('Ravi Sandoval')).textContent).toContain('Deployer')
})

it('keeps those who could not be added, and why, and not those who are on the list by now', async () => {
  const [ravi, gil] = [person('ravi', 'Ravi Sandoval'), person('gil', 'Gil Amari')]
  const isRavi = (body: unknown) => JSON.stringify(body).includes('ravi')
  const { calls } = open({
    answers: {
      [`GET ${path}/principals`]: { data: [ravi, gil] },
      [`POST ${path}/permissions`]: ({ body }: { body: unknown }) =>
        isRavi(body) ? entry(ravi, 'viewer') : new Refusal(409, 'Gil Amari was removed a moment ago'),
    },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Add members' }))
  const dialog = await screen.findByRole('dialog', { name: 'Add members' })
  const field = within(dialog).getByRole('textbox', { name: /People, groups/ })
  for (const name of ['Ravi', 'Gil']) {
    await userEvent.type(field, name.toLowerCase())
    await userEvent.click(await within(dialog).findByRole('option', { name: new RegExp(name) }))
  }
  await userEvent.click(within(dialog).getByRole('button', { name: 'Add 2 members' }))
  expect(await within(dialog).findByText(/Gil Amari was removed a moment ago/)).toBeDefined()
  await userEvent.click(await within(dialog).findByRole('button', { name: 'Add member' }))
  const sent = () => calls.filter(({ method }) => method === 'POST').map(({ body }) => isRavi(body))
  await waitFor(() => expect(sent()).toEqual([true, false, false]))
})

it('a date that lies behind keeps a change shut, and a refusal stands beside its field', async () => {
  open({
    answers: {
      [`PUT ${path}/permissions`]: new Refusal(
        403,
        'You can only grant permissions that you have in this space yourself.',
      ),
    },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for Guests' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Change' }))
  const dialog = await screen.findByRole('dialog', { name: 'Change member' })
  const save = within(dialog).getByRole('button', { name: 'Save' })
  expect(save).toHaveProperty('disabled', true)
  await userEvent.selectOptions(within(dialog).getByLabelText('Ends'), 'On a date')
  const date = within(dialog).getByLabelText(/Date and time/)
  await userEvent.clear(date)
  expect(save).toHaveProperty('disabled', true)
  expect(within(dialog).getByText('Choose a time in the future')).toBeDefined()
  await userEvent.selectOptions(within(dialog).getByLabelText('Ends'), 'After 8 hours')
  await userEvent.click(save)
  expect((await within(dialog).findByRole('alert', { name: /Change member/ })).textContent).toContain(
    'You can only grant permissions that you have',
  )
})

it('somebody is made an owner, and nothing else of their entry changes', async () => {
  const { calls } = open({ answers: { [`PUT ${path}/permissions`]: guests } })
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for Guests' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Change' }))
  const dialog = await screen.findByRole('dialog', { name: 'Change member' })
  await userEvent.click(within(dialog).getByRole('checkbox'))
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const sent = calls.find(({ method }) => method === 'PUT')?.body
  expect(sent).toEqual({ id: guests.id, role: 'viewer', owner: true, expiresAt: null })
})

it('the last owner stays, and it is said why', async () => {
  open({
    answers: {
      [`DELETE ${path}/permissions/p-ines`]: new Refusal(409, 'A space keeps at least one owner without an end.'),
    },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for Ines Duarte' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Remove' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Confirm' }))
  const told = await screen.findByRole('dialog', { name: 'The member was not removed' })
  expect(told.textContent).toContain('A space keeps at least one owner without an end.')
})

it('who may not change members sees the list, no menus, and why the button is closed', async () => {
  open({ space: shop(['space.view', 'app.view']) })
  await row('Guests')
  const add = await screen.findByRole('button', { name: 'Add members' })
  await waitFor(() => expect(add.getAttribute('aria-disabled')).toBe('true'))
  expect(screen.queryByRole('button', { name: /^Actions for/ })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Who can do what' })).toBeNull()
})

it('who can do what: each person with what they can and by which way, narrowed to one right', async () => {
  open({
    answers: {
      [`GET ${path}/members`]: { data: [member('Ines', 'manager'), member('Gil', 'viewer', 'Guests')], isCut: false },
    },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Who can do what' }))
  expect((await row('Gil')).textContent).toMatch(/view and see apps.*Viewer group Guests/)
  expect((await row('Ines')).textContent).toMatch(/manage members.*Manager directly/)
  // Each way is one sentence, whichever way the page is read, and so is the title of a panel.
  const way = (await row('Gil')).querySelector('td li')
  expect(way?.querySelector('bdi')?.textContent).toBe(way?.textContent)
  expect(screen.getByRole('heading', { name: 'You here' }).querySelector('bdi')?.textContent).toBe('You here')
  await userEvent.click(screen.getByRole('button', { name: /^Can Any/ }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'deploy' }))
  await waitFor(() => expect(screen.queryByRole('row', { name: /Gil/ })).toBeNull())
  expect(await row('Ines')).toBeDefined()
})

it('a request is granted as it was asked for, and is gone then', async () => {
  let waiting = [request()]
  const { calls } = open({
    answers: {
      'GET /portal-api/v3/access-requests?': () => page(...waiting),
      'POST /portal-api/v3/access-requests/r1/answer': () => {
        waiting = []
        return request({ state: 'granted' })
      },
    },
  })
  const card = await screen.findByRole('article', { name: 'Ravi Sandoval asks for Deployer' })
  expect(card.textContent).toMatch(/Deployer here, for 8 hours.*Hotfix of the cart/)
  await userEvent.click(within(card).getByRole('button', { name: 'Grant for 8 hours' }))
  await screen.findByText('Nobody is waiting for an answer.')
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ decision: 'grant', note: '' })
})

it('a request is granted otherwise, or declined with a word', async () => {
  const { calls } = open({
    answers: {
      'GET /portal-api/v3/access-requests?': page(request()),
      'POST /portal-api/v3/access-requests/r1/answer': request({ state: 'granted' }),
    },
  })
  const card = await screen.findByRole('article', { name: 'Ravi Sandoval asks for Deployer' })
  await userEvent.click(within(card).getByRole('button', { name: 'Adjust' }))
  const grant = await screen.findByRole('dialog', { name: 'Grant access' })
  await userEvent.selectOptions(within(grant).getByLabelText('For'), '1 day')
  await userEvent.click(within(grant).getByRole('button', { name: 'Grant' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await userEvent.click(within(card).getByRole('button', { name: 'Decline' }))
  const decline = await screen.findByRole('dialog', { name: 'Decline request' })
  await userEvent.type(within(decline).getByLabelText('Why'), 'Ask Ines')
  await userEvent.click(within(decline).getByRole('button', { name: 'Decline' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(calls.filter(({ method }) => method === 'POST').map(({ body }) => body)).toEqual([
    { decision: 'grant', note: '', role: 'deployer', hours: 24 },
    { decision: 'decline', note: 'Ask Ines' },
  ])
})

it('people are called by their names in the history, and by their user names too where two share one', async () => {
  const event = (id: string, detail: string | null, more = {}) => ({
    ...{ id, at: '2026-01-01T00:00:00.000Z', by: 'mara', byName: 'Mara Keller', what: 'withdrawn', owner: false },
    ...{ role: 'a role that was deleted', expiresAt: null, note: null },
    ...{ principal: { type: 'user', id: detail ?? id, name: 'Ravi Sandoval', detail }, ...more },
  })
  open({
    answers: {
      [`GET ${path}/permissions/history`]: page(
        event('1', 'ravi'),
        event('2', 'ravi.s'),
        event('3', null, {
          ...{ by: null, byName: null, what: 'expired', role: 'Upgrader' },
          principal: { type: 'group', id: 'g', name: 'Guests', detail: '/Teams/Guests' },
        }),
      ),
    },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'History' }))
  expect((await row('\\(ravi\\)')).textContent).toMatch(
    /^Ravi Sandoval \(ravi\) withdrew the request to be a role that was deleted.*Mara Keller/,
  )
  expect((await row('\\(ravi\\.s\\)')).textContent).toContain('Ravi Sandoval (ravi.s)')
  expect((await row('Guests')).textContent).toMatch(/Guests is no longer Upgrader: the grant expired.*By itself/)
})
