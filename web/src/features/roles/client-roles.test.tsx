import { clientRoles } from '@quayside/contract/roles/client-roles'
import { defaultRoles } from '@quayside/contract/roles/endpoints'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { answer, drawInPortal, serving } from '../../testing/portal.tsx'
import { pageOf } from '../../testing/things.ts'
import { ClientRoles } from './client-roles.tsx'

const read = { id: 'r1', name: 'read', description: 'Reads', composite: false }
const zoe = {
  ...{ id: 'u1', username: 'zoe', email: null, firstName: 'Zoe', lastName: 'Kim', enabled: true, createdAt: null },
}

function open({ isKept = false, defaults = [] as (typeof read)[] } = {}) {
  const calls = serving({
    ...answer(defaultRoles.listClientRoles, { data: [read] }, { id: 'c1' }),
    ...answer(defaultRoles.listClientDefaultRoles, { data: defaults }),
    ...answer(defaultRoles.createClientRole, read, { id: 'c1' }),
    ...answer(clientRoles.updateClientRole, read, { id: 'c1', rid: 'r1' }),
    ...answer(clientRoles.deleteClientRole, undefined, { id: 'c1', rid: 'r1' }),
    ...answer(clientRoles.findClientRoleUsers, pageOf(zoe), { id: 'c1', rid: 'r1' }),
    'POST /iam/v2/clients/c1/roles/default': undefined,
    'DELETE /iam/v2/clients/c1/roles/default': undefined,
  })
  const rights = ['create', 'edit', 'delete', 'default_roles.view', 'default_roles.manage']
  drawInPortal(<ClientRoles client={{ id: 'c1', clientId: 'ledger' }} isKept={isKept} />, {
    more: { 'quayside-portal-ui-iam-roles': rights.map((right) => `roles.${right}`) },
  })
  return () => calls.filter(({ method }) => method !== 'GET').map(({ method, path, body }) => [method, path, body])
}
const choose = async (name: string) => {
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for read' }))
  await userEvent.click(await screen.findByRole('menuitem', { name }))
}
const sure = async (title: string) =>
  userEvent.click(within(await screen.findByRole('dialog', { name: title })).getByRole('button', { name: 'Confirm' }))

it('makes, changes and deletes a role', async () => {
  const sent = open()
  await screen.findByRole('rowheader')
  await userEvent.click(screen.getByRole('button', { name: 'New role' }))
  await userEvent.type(await screen.findByLabelText(/^Name/), 'write')
  await userEvent.click(screen.getByRole('button', { name: 'Create role' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await choose('Edit')
  await userEvent.type(await screen.findByLabelText('Description'), ' all')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await choose('Delete')
  await sure('Delete role')
  await waitFor(() =>
    expect(sent()).toEqual([
      ['POST', '/iam/v2/clients/c1/roles', { name: 'write', description: '' }],
      ['PUT', '/iam/v3/clients/c1/roles/r1', { name: 'read', description: 'Reads all' }],
      ['DELETE', '/iam/v3/clients/c1/roles/r1', undefined],
    ]),
  )
})

it.each([
  [false, 'Give to every user', 'Give to every user', 'POST'],
  [true, 'Remove from every user', 'Remove default role', 'DELETE'],
])('with a role that every user has: %s, offers to %s', async (isGiven, label, title, method) => {
  const sent = open({ defaults: isGiven ? [read] : [] })
  await waitFor(() => expect(screen.getByRole('cell', { name: isGiven ? 'Yes' : 'No' })).toBeDefined())
  await choose(label)
  await sure(title)
  await waitFor(() => expect(sent().map(([how, , body]) => [how, body])).toEqual([[method, [{ id: 'r1' }]]]))
})

it('shows who has a role, and the way back', async () => {
  open()
  await screen.findByRole('rowheader')
  await choose('Users')
  expect(await screen.findByRole('link', { name: 'Zoe Kim' })).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'All roles' }))
  expect(await screen.findByRole('rowheader', { name: /^read/ })).toBeDefined()
})

it('leaves those of the portal as they are', async () => {
  open({ isKept: true })
  await screen.findByRole('rowheader')
  expect(screen.queryByRole('button', { name: 'New role' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Actions for read' }))
  await screen.findByRole('menuitem', { name: 'Users' })
  expect(screen.queryByRole('menuitem', { name: 'Delete' })).toBeNull()
})
