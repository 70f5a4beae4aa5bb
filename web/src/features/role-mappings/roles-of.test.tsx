import { clients } from '@quayside/contract/clients/endpoints'
import { type HeldRole, heldRolesOf, userClientRoles, userRealmRoles } from '@quayside/contract/role-mappings/endpoints'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { type Answers, answer, drawInPortal, Refusal, serving } from '../../testing/portal.tsx'
import { RolesOf } from './roles-of.tsx'

const crew = { kind: 'group', id: 'g1', name: 'Crew' } as const
const held: HeldRole[] = [
  { name: 'captain', client: null, through: [], assigned: { id: 'r1', cid: null } },
  { name: 'captain', client: null, through: [crew], assigned: null },
  { name: 'shop.view', client: 'shop', through: [crew], assigned: null },
]
const roleOf = (id: string, name: string) => ({ id, name, description: `May ${name}`, composite: false })
const shop = {
  ...{ id: 'c1', clientId: 'shop', name: 'Shop', description: '', enabled: true, serviceAccount: false },
  roles: ['shop.view', 'shop.edit'],
}

function open(answers: Answers = {}, roles = ['users.roles.manage']) {
  const calls = serving({
    ...answer(heldRolesOf.rolesOfUser, { data: held }, { id: 'u7' }),
    ...answer(userRealmRoles.available, { data: [roleOf('r2', 'mate'), roleOf('r3', 'pilot')] }, { id: 'u7' }),
    ...answer(userClientRoles.available, { data: [roleOf('r4', 'shop.edit')] }, { id: 'u7', cid: 'c1' }),
    ...answer(clients.listClients, { data: [shop] }),
    ...answers,
  })
  drawInPortal(<RolesOf kind="users" id="u7" name="zoe" />, { more: { 'quayside-portal-ui-iam-users': roles } })
  return () => calls.filter(({ method }) => method !== 'GET')
}

const rows = () => screen.getAllByRole('rowheader').map((cell) => cell.closest('tr')?.textContent)

it('shows each role once, with all ways to it', async () => {
  open()
  await screen.findAllByRole('rowheader')
  expect(rows()).toEqual(['captainRealmAssignedgroup Crew', 'shop.viewshopgroup Crew'])
  await userEvent.type(screen.getByRole('searchbox'), 'shop')
  expect(rows()).toEqual(['shop.viewshopgroup Crew'])
  await userEvent.type(screen.getByRole('searchbox'), 'zzz')
  expect(screen.getByText('No role matches')).toBeDefined()
})

it('takes back only what is assigned itself, after a question', async () => {
  const sent = open(answer(userRealmRoles.unassign, undefined, { id: 'u7' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for captain' }))
  expect(screen.queryByRole('button', { name: 'Actions for shop.view' })).toBeNull()
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Remove' }))
  const question = await screen.findByRole('dialog', { name: 'Remove role' })
  expect(sent()).toEqual([])
  await userEvent.click(within(question).getByRole('button', { name: 'Confirm' }))
  await waitFor(() => expect(sent()).toHaveLength(1))
  expect(sent()[0]).toEqual({ method: 'DELETE', path: '/iam/v2/users/u7/role-mappings/realm', body: [{ id: 'r1' }] })
})

it('assigns roles of the realm, or of a client', async () => {
  const sent = open({
    ...answer(userRealmRoles.assign, undefined, { id: 'u7' }),
    ...answer(userClientRoles.assign, undefined, { id: 'u7', cid: 'c1' }),
  })
  const assigning = async () => {
    await userEvent.click(await screen.findByRole('button', { name: 'Assign roles' }))
    return within(await screen.findByRole('dialog', { name: 'Assign roles to zoe' }))
  }
  const realm = await assigning()
  await userEvent.click(await realm.findByRole('checkbox', { name: 'mate' }))
  await userEvent.click(realm.getByRole('checkbox', { name: 'pilot' }))
  await userEvent.click(realm.getByRole('button', { name: 'Assign 2 roles' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const client = await assigning()
  await userEvent.click(client.getByRole('button', { name: /^Roles of/ }))
  await userEvent.click(await screen.findByRole('option', { name: 'shop' }))
  await userEvent.click(await client.findByRole('checkbox', { name: 'shop.edit' }))
  await userEvent.click(client.getByRole('button', { name: 'Assign' }))
  await waitFor(() => expect(sent()).toHaveLength(2))
  expect(sent().map(({ path, body }) => [path, body])).toEqual([
    ['/iam/v2/users/u7/role-mappings/realm', [{ id: 'r2' }, { id: 'r3' }]],
    ['/iam/v2/users/u7/role-mappings/clients/c1', [{ id: 'r4' }]],
  ])
})

it('keeps the choice when it is refused, and offers the realm to who cannot see clients', async () => {
  open({
    ...answer(userRealmRoles.assign, new Refusal(403, 'You do not hold mate.'), { id: 'u7' }),
    ...answer(clients.listClients, new Refusal(403, 'You do not have the role that this requires.')),
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Assign roles' }))
  await userEvent.click(await screen.findByRole('checkbox', { name: 'mate' }))
  await userEvent.click(screen.getByRole('button', { name: 'Assign' }))
  expect((await screen.findByRole('alert', { name: /^Assign roles: / })).textContent).toContain('You do not hold mate.')
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'mate' }).checked).toBe(true)
})

it('is closed to who may not assign', async () => {
  open({}, [])
  await screen.findAllByRole('rowheader')
  expect(screen.getByRole('button', { name: 'Assign roles' }).getAttribute('aria-disabled')).toBe('true')
})
