import { groups } from '@quayside/contract/groups/endpoints'
import { credentials } from '@quayside/contract/users/credentials'
import { type UserDetail, users } from '@quayside/contract/users/endpoints'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { type Answers, answer, drawInPortal, never, Refusal, serving } from '../../testing/portal.tsx'
import { UserPage } from './user-page.tsx'

const at = '2026-01-01T00:00:00.000Z'
const zoe: UserDetail = {
  ...{ id: 'u7', username: 'zoe', email: 'zoe@example.org', firstName: 'Zoe', lastName: 'Kim', enabled: true },
  ...{ createdAt: at, emailVerified: false, requiredActions: [], attributes: { deck: ['2'] }, serviceAccountOf: null },
}
const everything = [
  ...['users.edit', 'users.delete', 'users.attributes.view', 'users.attributes.manage'],
  ...['users.credentials.view', 'users.credentials.manage'],
  ...['users.roles.view', 'users.groups.view', 'users.groups.manage', 'users.sessions.view', 'users.consents.view'],
]

function open(tab = '', answers: Answers = {}, roles: string[] = everything) {
  const calls = serving({
    ...answer(users.getUser, zoe, { id: 'u7' }),
    ...answer(users.userGroups, { data: [{ id: 'g1', name: 'Crew' }] }, { id: 'u7' }),
    ...answer(groups.listGroups, {
      data: ['Crew', 'Guests'].map((name, at) => ({
        ...{ id: `g${at + 1}`, name, path: `/${name}`, memberCount: 0, subGroups: [] },
      })),
    }),
    ...answer(
      credentials.listCredentials,
      { data: [{ id: 'c1', type: 'otp', label: 'Phone', createdAt: at }] },
      { id: 'u7' },
    ),
    ...answer(
      credentials.listLinks,
      { data: [{ id: 'harbour', name: 'Harbour ID', username: 'zoe.k' }] },
      { id: 'u7' },
    ),
    ...answer(
      credentials.listSessions,
      {
        data: [{ id: 's1', ipAddress: '192.0.2.7', startedAt: at, lastAccessAt: at, clients: ['quayside-portal-ui'] }],
      },
      { id: 'u7' },
    ),
    ...answer(credentials.listConsents, { data: [] }, { id: 'u7' }),
    ...answers,
  })
  const { router } = drawInPortal(
    <UserPage
      roles={({ username }) => <p>Roles of {username}</p>}
      tokens={({ username }) => <p>Tokens of {username}</p>}
      events={() => null}
    />,
    {
      ...{ at: `/users/u7${tab && `?tab=${tab}`}`, route: 'users/$userId' },
      more: { 'quayside-portal-ui-iam-users': roles },
    },
  )
  const sent = () => calls.filter(({ method }) => method !== 'GET')
  return { sent, router }
}
const button = (name: string) => screen.findByRole<HTMLButtonElement>('button', { name })
const sure = async (title: string) => {
  const question = await screen.findByRole('dialog', { name: title })
  await userEvent.click(within(question).getByRole('button', { name: 'Confirm' }))
}

describe('details', () => {
  it('are sent as far as they were typed', async () => {
    const { sent } = open('', answer(users.updateUser, { ...zoe, lastName: null }, { id: 'u7' }))
    expect((await button('Save')).disabled).toBe(true)
    await userEvent.clear(screen.getByLabelText('Last name'))
    await userEvent.click(screen.getByRole('checkbox', { name: 'Choose a new password' }))
    await userEvent.click(await button('Add attribute'))
    await userEvent.type(screen.getByLabelText('Name of attribute 2'), 'berth')
    await userEvent.type(screen.getByLabelText('Value of attribute 2'), '14')
    await userEvent.click(await button('Save'))
    await waitFor(() => expect(sent()).toHaveLength(1))
    expect(sent()[0]).toMatchObject({
      ...{ method: 'PUT', path: '/iam/v2/users/u7' },
      body: { lastName: null, requiredActions: ['UPDATE_PASSWORD'], attributes: { deck: ['2'], berth: ['14'] } },
    })
    expect(Object.keys(sent()[0]?.body as object).sort()).toEqual(['attributes', 'lastName', 'requiredActions'])
    await waitFor(async () => expect((await button('Save')).disabled).toBe(true))
  })

  it('stay typed when they are refused', async () => {
    open('', answer(users.updateUser, new Refusal(403, 'This person holds more than you do.'), { id: 'u7' }))
    await userEvent.type(await screen.findByLabelText('First name'), 'y')
    await userEvent.click(await button('Save'))
    expect((await screen.findByRole('alert', { name: /^Save: / })).textContent).toContain('holds more than you do')
    expect(screen.getByLabelText<HTMLInputElement>('First name').value).toBe('Zoey')
  })

  it('are closed to who may not edit, and attributes hidden from who may not see them', async () => {
    open('', answer(users.getUser, { ...zoe, attributes: null }, { id: 'u7' }), ['users.view'])
    expect((await screen.findByLabelText<HTMLInputElement>('E-mail')).disabled).toBe(true)
    expect(screen.queryByText('Attributes')).toBeNull()
    expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual(['Details'])
  })

  it('have attributes that somebody may see and not change, and who asks is told why', async () => {
    open('', {}, ['users.edit', 'users.attributes.view'])
    const group = await screen.findByRole<HTMLFieldSetElement>('group', { name: 'Attributes' })
    expect([group.disabled, within(group).getByDisplayValue('deck')]).toEqual([true, expect.anything()])
    expect((await button('Change attributes')).getAttribute('aria-disabled')).toBe('true')
    expect((await screen.findByLabelText<HTMLInputElement>('E-mail')).disabled).toBe(false)
  })
})

it('disables and deletes after a question', async () => {
  let enabled = true
  const { sent, router } = open('', {
    ...answer(users.getUser, () => ({ ...zoe, enabled }), { id: 'u7' }),
    'PUT /iam/v2/users/u7': () => {
      enabled = false
      return { ...zoe, enabled }
    },
    ...answer(users.deleteUser, undefined, { id: 'u7' }),
  })
  await userEvent.click(await button('Disable'))
  await sure('Disable')
  expect(await button('Enable')).toBeDefined()
  expect(sent()[0]?.body).toEqual({ enabled: false })
  await userEvent.click(await button('Delete'))
  await sure('Delete user')
  await waitFor(() => expect(router.state.location.pathname).toBe('/users'))
})

it('says why somebody cannot be deleted', async () => {
  open('', answer(users.deleteUser, new Refusal(409, 'A tenant keeps at least one administrator.'), { id: 'u7' }))
  await userEvent.click(await button('Delete'))
  await sure('Delete user')
  expect((await screen.findByRole('dialog', { name: 'Not deleted' })).textContent).toContain(
    'at least one administrator',
  )
})

it('hands the user to the tab of roles', async () => {
  open('roles')
  expect(await screen.findByText('Roles of zoe')).toBeDefined()
})

it('puts somebody into a group and takes them out', async () => {
  const { sent } = open('groups', {
    ...answer(users.joinGroup, undefined, { id: 'u7', gid: 'g2' }),
    ...answer(users.leaveGroup, undefined, { id: 'u7', gid: 'g1' }),
  })
  await screen.findByRole('rowheader', { name: /^Crew/ })
  expect((await button('Add')).disabled).toBe(true)
  await userEvent.click(screen.getByRole('button', { name: /^Add to a group/ }))
  expect((await screen.findAllByRole('option')).map(({ textContent }) => textContent)).toEqual(['/Guests'])
  await userEvent.click(screen.getByRole('option', { name: '/Guests' }))
  await userEvent.click(await button('Add'))
  await userEvent.click(await button('Actions for Crew'))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Remove from the group' }))
  await waitFor(() => expect(sent()).toHaveLength(2))
  expect(sent().map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /iam/v2/users/u7/groups/g2',
    'DELETE /iam/v2/users/u7/groups/g1',
  ])
})

describe('credentials', () => {
  it('are listed, and removed after a question', async () => {
    const { sent } = open('credentials', answer(credentials.deleteCredential, undefined, { id: 'u7', cid: 'c1' }))
    expect((await screen.findAllByRole('rowheader'))[0]?.textContent).toBe('Second factorPhone')
    await userEvent.click(await button('Actions for Second factor'))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Remove' }))
    await sure('Remove second factor')
    await waitFor(() => expect(sent()[0]?.path).toBe('/iam/v2/users/u7/credentials/c1'))
  })

  it('at an identity provider are listed as well, and unlinked after a question', async () => {
    const refused = new Refusal(403, 'This person holds more than you do.')
    const { sent } = open('credentials', answer(credentials.removeLink, refused, { id: 'u7', provider: 'harbour' }))
    const table = within(await screen.findByRole('table', { name: 'Linked accounts' }))
    expect(await table.findByText('zoe.k')).toBeDefined()
    await userEvent.click(await button('Actions for Harbour ID'))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Unlink' }))
    await sure('Unlink Harbour ID')
    await waitFor(() => expect(sent()[0]?.path).toBe('/iam/v3/users/u7/identities/harbour'))
    expect((await screen.findByRole('alert', { name: /^Unlink: / })).textContent).toContain('holds more than you do')
  })

  it('a password is set when it was typed twice', async () => {
    const { sent } = open('credentials', answer(credentials.resetPassword, undefined, { id: 'u7' }))
    await userEvent.click(await button('Set password'))
    const dialog = within(await screen.findByRole('dialog', { name: 'Set password of Zoe Kim' }))
    const set = dialog.getByRole<HTMLButtonElement>('button', { name: 'Set password' })
    await userEvent.type(dialog.getByLabelText('New password *'), 'Harbour-4711')
    await userEvent.type(dialog.getByLabelText('Repeat the password *'), 'Harbour')
    expect(dialog.getByText('The passwords do not match')).toBeDefined()
    expect(set.disabled).toBe(true)
    await userEvent.type(dialog.getByLabelText('Repeat the password *'), '-4711')
    await userEvent.click(set)
    await waitFor(() => expect(sent()[0]?.body).toEqual({ value: 'Harbour-4711', temporary: true }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('a mail that cannot be sent says why', async () => {
    open('credentials', answer(credentials.mailActions, new Refusal(409, 'No mail server is set up.'), { id: 'u7' }))
    await userEvent.click(await button('Mail a link'))
    await userEvent.click(await button('Send'))
    expect((await screen.findByRole('alert', { name: /^Mail: / })).textContent).toContain('No mail server is set up.')
  })
})

it('shows sessions and consents, and ends all sessions', async () => {
  const { sent } = open('sessions', answer(credentials.endSessions, undefined, { id: 'u7' }))
  expect((await screen.findByRole('rowheader')).textContent).toBe('192.0.2.7s1')
  expect(await screen.findByText('No consents')).toBeDefined()
  await userEvent.click(await button('Sign out everywhere'))
  await sure('Sign out everywhere')
  await waitFor(() => expect(sent()[0]).toMatchObject({ method: 'DELETE', path: '/iam/v3/users/u7/sessions' }))
})

it('shows that it loads, that nobody is there, and why it failed', async () => {
  open('', answer(users.getUser, never, { id: 'u7' }))
  expect((await screen.findByRole('status')).textContent).toBe('Loading')
  cleanup()
  open('', answer(users.getUser, new Refusal(404, 'This user does not exist.'), { id: 'u7' }))
  expect(await screen.findByRole('link', { name: 'Go to users' })).toBeDefined()
  cleanup()
  open('', answer(users.getUser, new Refusal(500, 'The identity server is away'), { id: 'u7' }))
  expect((await screen.findByRole('alert', { name: /^User: / })).textContent).toContain('The identity server is away')
})
