import type { SpaceRole } from '@quayside/contract/permissions/endpoints'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { drawInPortal, Refusal, serving } from '../../../testing/portal.tsx'
import { roles } from '../testing/team.ts'
import { SpaceRolesPanel } from './space-roles-panel.tsx'

const path = '/portal-api/v3/space-roles'
const upgrader: SpaceRole = {
  ...{ id: 'u1', name: 'Upgrader', description: 'Upgrades only', builtIn: false },
  scopes: ['space.view', 'app.view', 'app.manage'],
}

function open({ mayDefine = true, list = roles, answers = {} } = {}) {
  const kept = { list }
  const calls = serving({ [`GET ${path}`]: () => ({ data: kept.list }), ...answers })
  drawInPortal(<SpaceRolesPanel />, {
    roles: ['catalog.deploy', 'catalog.deployments.manage'],
    more: mayDefine ? { 'quayside-portal-ui-spaces': ['access', 'spaces.manage'] } : {},
  })
  return { calls, kept }
}

it('a role is made of scopes, each with what it is of no use without, and stands in the list', async () => {
  const { calls, kept } = open({
    answers: {
      [`POST ${path}`]: () => {
        kept.list = [...roles, upgrader]
        return upgrader
      },
    },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'New role' }))
  const dialog = await screen.findByRole('dialog', { name: 'New role' })
  const create = within(dialog).getByRole('button', { name: 'Create role' })
  expect(create).toHaveProperty('disabled', true)
  await userEvent.type(within(dialog).getByLabelText(/^Name/), 'Upgrader')
  await userEvent.click(within(dialog).getByRole('checkbox', { name: /^Upgrade, roll back/ }))
  expect(within(dialog).getByRole('checkbox', { name: /^See apps/ })).toHaveProperty('checked', true)
  expect(within(dialog).getByRole('checkbox', { name: /whole cluster/ })).toHaveProperty('disabled', true)
  await userEvent.click(create)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
    ...{ name: 'Upgrader', description: '', scopes: ['space.view', 'app.view', 'app.manage'] },
  })
  expect((await screen.findByRole('row', { name: /^Upgrader/ })).textContent).toContain(
    'view, see apps and manage apps',
  )
})

it('a role that is given somewhere stays, and it is said why; built-in ones have no menu', async () => {
  open({
    list: [...roles, upgrader],
    answers: {
      [`DELETE ${path}/u1`]: new Refusal(409, 'This role is still used in spaces. Assign other roles there first.'),
    },
  })
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for Upgrader' }))
  expect(screen.queryByRole('button', { name: 'Actions for Viewer' })).toBeNull()
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Confirm' }))
  const told = await screen.findByRole('dialog', { name: 'The role was not deleted' })
  expect(told.textContent).toContain('Assign other roles there first')
})

it('who defines none sees them all, with the button closed', async () => {
  open({ mayDefine: false, list: [...roles, upgrader] })
  await screen.findByRole('row', { name: /^Upgrader/ })
  expect(screen.getByRole('button', { name: 'New role' }).getAttribute('aria-disabled')).toBe('true')
  await userEvent.click(screen.getByRole('button', { name: 'Actions for Upgrader' }))
  for (const name of ['Edit', 'Delete'])
    expect((await screen.findByRole('menuitem', { name })).getAttribute('aria-disabled')).toBe('true')
})
