import type { AccessRequest } from '@quayside/contract/permissions/access-requests'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { page, person, request, roles, shop } from '../../features/permissions/testing/team.ts'
import { type Answers, drawInPortal, never, Refusal, serving } from '../../testing/portal.tsx'
import { SpacesWithRoles } from './spaces-page.tsx'

const api = '/portal-api/v3'
const waiting = `GET ${api}/access-requests?`
const mine = `GET ${api}/access-requests/mine`

function open(at: string, answers: Answers = {}) {
  const calls = serving({
    [`GET ${api}/spaces`]: page(),
    [`GET ${api}/space-roles`]: { data: roles },
    [`GET ${api}/scopes/mine`]: { data: [] },
    [`GET ${api}/principals`]: { data: [person('ravi', 'Ravi Sandoval'), person('gil', 'Gil Amari')] },
    'GET /cluster/v1/clusters': page({ id: 'c1', displayName: 'Sandbox', iaas: { type: 'Sandbox' } }),
    'GET /iam/v2/roles': { data: [] },
    [waiting]: page(),
    [mine]: page(),
    ...answers,
  })
  drawInPortal(<SpacesWithRoles />, { at, more: { 'quayside-portal-ui-apps': ['access', 'apps.create'] } })
  return calls
}
const sent = (calls: ReturnType<typeof open>) => calls.filter(({ method }) => method === 'POST').map(({ body }) => body)

async function newSpace() {
  await userEvent.click((await screen.findAllByRole('button', { name: 'New space' }))[0] as HTMLElement)
  return screen.findByRole('dialog', { name: 'New space' })
}

async function pick(dialog: HTMLElement, name: RegExp) {
  await userEvent.type(within(dialog).getByRole('textbox', { name: 'Add people, groups or roles' }), 'so')
  await userEvent.click(await within(dialog).findByRole('option', { name }))
}

it('a space is made with its first members, each in a role', async () => {
  const calls = open('/spaces', { [`POST ${api}/spaces`]: shop() })
  const dialog = await newSpace()
  await userEvent.type(within(dialog).getByLabelText(/^Name/), 'Shop')
  await pick(dialog, /Ravi/)
  await pick(dialog, /Gil/)
  await userEvent.selectOptions(within(dialog).getByLabelText('Role of Ravi Sandoval'), 'Viewer')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Remove Gil Amari' }))
  await userEvent.click(within(dialog).getByRole('button', { name: 'Create space' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(sent(calls)).toEqual([
    {
      ...{ displayName: 'Shop', description: '', clusterIds: [] },
      members: [{ principal: { type: 'user', id: 'ravi' }, role: 'viewer', owner: false, expiresAt: null }],
    },
  ])
})

it('whoever makes a space owns and manages it, and is not offered as a further member', async () => {
  open('/spaces', {
    [`GET ${api}/principals`]: { data: [person('u1', 'mara'), person('ravi', 'Ravi Sandoval')] },
  })
  const dialog = await newSpace()
  expect(within(dialog).getByRole('listitem').textContent).toMatch(/mara.*Manager, owner/)
  await userEvent.type(within(dialog).getByRole('textbox', { name: 'Add people, groups or roles' }), 'ma')
  await within(dialog).findByRole('option', { name: /Ravi/ })
  expect(within(dialog).queryByRole('option', { name: /mara/ })).toBeNull()
})

it('a member who is refused keeps the dialog open with everything that was typed, and it is said why', async () => {
  open('/spaces', {
    [`POST ${api}/spaces`]: new Refusal(403, 'You can only grant permissions that you have in this space yourself.'),
    [`GET ${api}/space-roles`]: new Refusal(500, 'Roles cannot be read.'),
  })
  const dialog = await newSpace()
  await userEvent.type(within(dialog).getByLabelText(/^Name/), 'Shop')
  await pick(dialog, /Ravi/)
  await userEvent.click(within(dialog).getByRole('button', { name: 'Create space' }))
  expect((await within(dialog).findByRole('alert', { name: /New space|Create|Save/ })).textContent).toContain(
    'You can only grant permissions that you have',
  )
  expect(within(dialog).getByLabelText(/^Name/)).toHaveProperty('value', 'Shop')
  // The built-in roles can be chosen without the server's list.
  const role = within(dialog).getByLabelText('Role of Ravi Sandoval') as HTMLSelectElement
  expect([...role.selectedOptions].map(({ text }) => text)).toEqual(['Deployer'])
})

it('the tab of requests has all of them, whoever asks and wherever, and own ones with their outcome', async () => {
  open('/spaces?tab=requests', {
    [waiting]: page(request(), request({ id: 'r2', space: { id: 'f', displayName: 'Field' }, hours: null })),
    [mine]: page(
      request({ id: 'r3', state: 'declined', answeredBy: 'ines', answeredByName: 'Ines Duarte', note: 'Ask later' }),
    ),
  })
  const toAnswer = (await screen.findByRole('heading', { name: 'To answer' })).closest('section') as HTMLElement
  const cards = await within(toAnswer).findAllByRole('article')
  expect(cards.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/Ravi Sandoval asks to be Deployer in Shop, for 8 hours.*Hotfix of the cart/),
    expect.stringMatching(/Deployer in Field, until it is revoked/),
  ])
  const own = screen.getByRole('article', { name: 'Your request for Deployer' })
  expect(own.textContent).toMatch(/in Shop.*was declined by Ines Duarte.*Ask later/)
  expect(within(own).queryByRole('button')).toBeNull()
})

it('a request is granted in the tab, another is declined with a word, and both are gone then', async () => {
  let left = [request(), request({ id: 'r2', person: { id: 'gil', name: 'Gil', username: 'gil' } })]
  const answered = (state: AccessRequest['state']) => (call: { path: string }) => {
    left = left.filter(({ id }) => !call.path.includes(`/${id}/`))
    return request({ state })
  }
  const calls = open('/spaces?tab=requests', {
    [waiting]: () => page(...left),
    [`POST ${api}/access-requests/r1/answer`]: answered('granted'),
    [`POST ${api}/access-requests/r2/answer`]: answered('declined'),
  })
  const first = await screen.findByRole('article', { name: 'Ravi Sandoval asks for Deployer' })
  await userEvent.click(within(first).getByRole('button', { name: 'Grant for 8 hours' }))
  await waitFor(() => expect(screen.queryByRole('article', { name: /^Ravi/ })).toBeNull())
  const second = screen.getByRole('article', { name: 'Gil asks for Deployer' })
  await userEvent.click(within(second).getByRole('button', { name: 'Decline' }))
  const dialog = await screen.findByRole('dialog', { name: 'Decline request' })
  await userEvent.type(within(dialog).getByLabelText('Why'), 'Not on Fridays')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Decline' }))
  expect(await screen.findByText('No requests are waiting for you')).toBeDefined()
  expect(sent(calls)).toEqual([
    { decision: 'grant', note: '' },
    { decision: 'decline', note: 'Not on Fridays' },
  ])
})

it('a request that somebody else has answered meanwhile says so on its card', async () => {
  open('/spaces?tab=requests', {
    [waiting]: page(request()),
    [`POST ${api}/access-requests/r1/answer`]: new Refusal(409, 'Somebody has answered this request.'),
  })
  const card = await screen.findByRole('article', { name: 'Ravi Sandoval asks for Deployer' })
  await userEvent.click(within(card).getByRole('button', { name: 'Grant for 8 hours' }))
  expect((await within(card).findByRole('alert')).textContent).toContain('Somebody has answered this request.')
})

it('without requests the tab says what would be there', async () => {
  open('/spaces?tab=requests')
  expect(await screen.findByText('No requests are waiting for you')).toBeDefined()
  expect(await screen.findByText('You have not made any requests')).toBeDefined()
})

it('lists that cannot be had say why, each for itself, and are read again', async () => {
  let isAway = true
  open('/spaces?tab=requests', {
    [waiting]: () => (isAway ? new Refusal(403, 'The list is closed.') : page(request())),
    [mine]: never,
  })
  const alert = await screen.findByRole('alert', { name: /To answer/ })
  expect(alert.textContent).toContain('The list is closed.')
  expect(screen.queryByText('No requests are waiting for you')).toBeNull()
  isAway = false
  await userEvent.click(within(alert).getByRole('button', { name: /again|retry/i }))
  expect(await screen.findByRole('article', { name: 'Ravi Sandoval asks for Deployer' })).toBeDefined()
})
