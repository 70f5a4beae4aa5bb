import type { Action } from '@quayside/contract/deployments/endpoints'
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { drawInPortal, serving } from '../../../testing/portal.tsx'
import { useActionMenu } from './use-action-menu.ts'

const deletion = {
  ...{ id: 'a1', kind: 'Delete', state: 'Failed', running: false, cancellable: false, releaseName: null },
  ...{ appId: 'app1', appName: 'Notes', spaceId: 'bank', clusterId: 'c1', clusterName: 'Harbour' },
} as unknown as Action

function Menu({ action }: { action: Action }) {
  return useActionMenu()(action).map(({ label, right }) => (
    <span key={label}>{`${label}: ${right?.allowed === false ? 'closed' : right?.allowed ? 'open' : 'unknown'}`}</span>
  ))
}

const deploys = { data: [{ spaceId: 'bank', scopes: ['space.view', 'app.view', 'space.deploy'] }] }

it.each([
  ['what was only assigned', {}, 'open'],
  ['what was deployed', { releaseName: 'notes' }, 'closed'],
])('who deploys finds the deletion of %s to try again %s', async (_, more, door) => {
  serving({ 'GET /portal-api/v3/scopes/mine': deploys })
  drawInPortal(<Menu action={{ ...deletion, ...more } as Action} />, { roles: [] })
  expect(await screen.findByText(`Try again: ${door}`)).toBeDefined()
})

it('who deploys may cancel the deletion of what was only assigned, and no other', async () => {
  serving({ 'GET /portal-api/v3/scopes/mine': deploys })
  const waits = { ...deletion, running: true, cancellable: true, state: 'accepted' } as Action
  drawInPortal(
    <>
      <Menu action={waits} />
      <hr />
      <Menu action={{ ...waits, releaseName: 'notes' }} />
    </>,
    { roles: [] },
  )
  expect(await screen.findAllByText('Cancel: open')).toHaveLength(1)
})
