import { clients } from '@quayside/contract/clients/endpoints'
import { defaultRoles, type RoleDetail, roles } from '@quayside/contract/roles/endpoints'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { type Answers, answer, drawInPortal, never, Refusal, serving } from '../../testing/portal.tsx'
import { pageOf } from '../../testing/things.ts'
import { RolePage } from './role-page.tsx'

const simple = (id: string, name: string) => ({ id, name, description: '', composite: false })
const mate: RoleDetail = {
  ...{ id: 'r1', name: 'mate', description: 'Second', composite: true, builtIn: false, attributes: { deck: ['2'] } },
  parts: [
    { ...simple('r2', 'guest'), client: null },
    { ...simple('r3', 'shop.view'), client: 'shop' },
  ],
}
const user = {
  ...{ id: 'u1', username: 'zoe', email: null, firstName: 'Zoe', lastName: 'Kim', enabled: true, createdAt: null },
}
const at = { id: 'r1' }

const mayAll = ['roles.edit', 'roles.delete', 'roles.attributes.view', 'roles.attributes.manage']

function open(tab = '', answers: Answers = {}, held = mayAll) {
  const calls = serving({
    ...answer(roles.getRole, mate, at),
    ...answer(roles.findRoleUsers, pageOf(user), { name: 'mate' }),
    ...answer(roles.listRoles, { data: [simple('r1', 'mate'), simple('r2', 'guest'), simple('r4', 'pilot')] }),
    ...answer(clients.listClients, {
      data: [
        {
          ...{ id: 'c1', clientId: 'shop', name: 'Shop', description: '', enabled: true, serviceAccount: false },
          roles: ['shop.edit'],
        },
      ],
    }),
    ...answer(defaultRoles.listClientRoles, { data: [simple('r5', 'shop.edit')] }, { id: 'c1' }),
    ...answers,
  })
  const { router } = drawInPortal(<RolePage />, {
    ...{ at: `/roles/r1${tab && `?tab=${tab}`}`, route: 'roles/$roleId' },
    more: { 'quayside-portal-ui-iam-roles': held },
  })
  const sent = () =>
    calls.filter(({ method }) => method !== 'GET').map(({ method, path, body }) => [method, path, body])
  return { sent, router }
}
const sure = async (title: string) => {
  const question = await screen.findByRole('dialog', { name: title })
  await userEvent.click(within(question).getByRole('button', { name: 'Confirm' }))
}

it('sends what was typed, and keeps it when it is refused', async () => {
  const { sent } = open('', answer(roles.updateRole, new Refusal(403, 'You do not hold it.'), at))
  const name = await screen.findByLabelText<HTMLInputElement>('Name')
  await userEvent.type(name, ' one')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect((await screen.findByRole('alert', { name: /^Save: / })).textContent).toContain('You do not hold it.')
  expect(sent()).toEqual([['PUT', '/iam/v2/roles/r1', { name: 'mate one' }]])
  expect(name.value).toBe('mate one')
})

it('adds roles of the realm and of clients, and takes them out after a question', async () => {
  const { sent } = open('parts', {
    ...answer(roles.addParts, undefined, at),
    ...answer(roles.removeParts, undefined, at),
  })
  const rows = (await screen.findAllByRole('rowheader')).map(({ textContent }) => textContent)
  expect(rows).toEqual(['guest', 'shop.view'])
  expect(screen.getByRole('table').textContent).toContain('shop.viewshop')
  await userEvent.click(screen.getByRole('button', { name: 'Add roles' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Add roles to mate' }))
  await dialog.findByRole('checkbox', { name: 'pilot' })
  expect(dialog.getAllByRole('checkbox')).toHaveLength(1)
  await userEvent.click(dialog.getByRole('button', { name: /^Roles of/ }))
  await userEvent.click(await screen.findByRole('option', { name: 'shop' }))
  await userEvent.click(await dialog.findByRole('checkbox', { name: 'shop.edit' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Add' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await userEvent.click(screen.getByRole('button', { name: 'Actions for guest' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Take out' }))
  await sure('Take out')
  await waitFor(() => expect(sent()).toHaveLength(2))
  expect(sent()).toEqual([
    ['POST', '/iam/v3/roles/r1/parts', [{ id: 'r5' }]],
    ['DELETE', '/iam/v3/roles/r1/parts', [{ id: 'r2' }]],
  ])
})

it('shows who is assigned it', async () => {
  open('users')
  expect((await screen.findByRole('rowheader')).textContent).toContain('Zoe Kimzoe')
  expect(screen.getByRole('link', { name: 'Zoe Kim' }).getAttribute('href')).toBe('/users/u1')
})

it('deletes after a question', async () => {
  const { sent, router } = open('', answer(roles.deleteRole, undefined, at))
  await userEvent.click(await screen.findByRole('button', { name: 'Delete' }))
  await sure('Delete role')
  await waitFor(() => expect(router.state.location.pathname).toBe('/roles'))
  expect(sent()).toEqual([['DELETE', '/iam/v2/roles/r1', undefined]])
})

it('leaves the roles of the portal as they are', async () => {
  open('', answer(roles.getRole, { ...mate, builtIn: true }, at))
  expect(await screen.findByText('The portal needs this role, so it cannot be changed.')).toBeDefined()
  expect(screen.getByLabelText<HTMLInputElement>('Name').disabled).toBe(true)
  expect(screen.queryByRole('button', { name: 'Delete' })).toBeNull()
  await userEvent.click(screen.getByRole('tab', { name: 'Roles inside' }))
  expect(screen.queryByRole('button', { name: 'Add roles' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Actions for guest' })).toBeNull()
})

it('shows that it loads, that there is none, and why it failed', async () => {
  open('', answer(roles.getRole, never, at))
  expect((await screen.findByRole('status')).textContent).toBe('Loading')
  cleanup()
  open('', answer(roles.getRole, new Refusal(404, 'This role does not exist.'), at))
  expect(await screen.findByRole('link', { name: 'Go to roles' })).toBeDefined()
  cleanup()
  open('', answer(roles.getRole, new Refusal(500, 'The identity server is away'), at))
  expect((await screen.findByRole('alert', { name: /^Role: / })).textContent).toContain('The identity server is away')
})
