import { roleRequests } from '@quayside/contract/permissions/role-requests'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { answer, drawInPortal, serving } from '../../../testing/portal.tsx'
import { page, request } from '../testing/team.ts'
import { RoleRequests } from './role-requests.tsx'

const role = { id: 'catalog-apps:catalog.publish', name: 'catalog.publish (catalog-apps)' }
const grant = {
  ...{ id: 'g1', person: { id: 'ravi', name: 'Ravi Sandoval', username: 'ravi' }, role },
  ...{ expiresAt: new Date(Date.now() + 7_200_000).toISOString(), grantedBy: 'mara', grantedByName: 'Mara Keller' },
  grantedAt: new Date().toISOString(),
}
const event = {
  ...{ id: 'e1', at: new Date().toISOString(), by: 'mara', byName: 'Mara Keller', what: 'granted' as const },
  ...{ principal: { type: 'user' as const, id: 'ravi', name: 'Ravi Sandoval', detail: 'ravi' }, role: role.name },
  ...{ owner: false, expiresAt: null, note: 'Asked for: New charts' },
}

function open() {
  const calls = serving({
    ...answer(roleRequests.listRoleRequests, page(request({ space: null, role, reason: 'New charts' }))),
    ...answer(roleRequests.listRoleGrants, page(grant)),
    ...answer(roleRequests.roleHistory, page(event)),
    'POST /portal-api/v3/role-requests/r1/answer': request({ space: null, role, state: 'granted' }),
    'DELETE /portal-api/v3/role-grants/g1': {},
  })
  drawInPortal(<RoleRequests />)
  return calls
}

it('says who asks for which role, why and for how long, and grants it as it was asked for', async () => {
  const calls = open()
  const card = await screen.findByRole('article', { name: `Ravi Sandoval asks for ${role.name}` })
  expect(card.textContent).toContain(`Ravi Sandoval asks for ${role.name} of the tenant, for 8 hours`)
  expect(card.textContent).toContain('New charts')
  await userEvent.click(within(card).getByRole('button', { name: 'Grant for 8 hours' }))
  await waitFor(() =>
    expect(calls.find(({ method }) => method === 'POST')).toMatchObject({
      path: '/portal-api/v3/role-requests/r1/answer',
      body: { decision: 'grant', note: '' },
    }),
  )
})

it('grants it for another time, without the roles of spaces', async () => {
  const calls = open()
  const card = await screen.findByRole('article', { name: /asks for/ })
  await userEvent.click(within(card).getByRole('button', { name: 'Adjust' }))
  const dialog = await screen.findByRole('dialog', { name: 'Grant access' })
  expect(within(dialog).queryByText('Role here')).toBeNull()
  await userEvent.selectOptions(within(dialog).getByLabelText('For'), '1 hour')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Grant' }))
  await waitFor(() =>
    expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ decision: 'grant', note: '', hours: 1 }),
  )
})

it('shows what was given until when and what happened, and takes a role back', async () => {
  const calls = open()
  const given = await screen.findByRole('table', { name: 'Roles granted on request' })
  await within(given).findByText('Ravi Sandoval')
  expect(given.textContent).toMatch(/catalog\.publish \(catalog-apps\).*ends in (1|2) h.*Mara Keller/)
  const history = screen.getByRole('table', { name: 'History of tenant roles' })
  await waitFor(() => expect(history.textContent).toContain(`Ravi Sandoval was granted ${role.name}`))
  await userEvent.click(within(given).getByRole('button', { name: /Ravi Sandoval/ }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Revoke' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Confirm' }))
  await waitFor(() => expect(calls.some(({ method }) => method === 'DELETE')).toBe(true))
})
