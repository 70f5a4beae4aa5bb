import type { Action } from '@quayside/contract/deployments/endpoints'
import { useLocation } from '@tanstack/react-router'
import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { drawInPortal, serving } from '../../../testing/portal.tsx'
import { useActionMenu } from './use-action-menu.ts'

const failed = {
  ...{ id: 'a1', kind: 'DeregisterCluster', state: 'Failed', running: false, releaseName: null },
  ...{ appId: null, appName: 'Harbour', spaceId: null, clusterId: 'c1', clusterName: 'Harbour' },
} as unknown as Action

function Menu({ action }: { action: Action }) {
  const entries = useActionMenu()(action)
  const { pathname } = useLocation()
  return (
    <>
      <output>{pathname}</output>
      {entries.map(({ label, right, onSelect }) => (
        <button key={label} type="button" aria-disabled={right?.allowed === false} onClick={onSelect}>
          {label}
        </button>
      ))}
    </>
  )
}

function open(action: Action, more: Record<string, string[]> = {}) {
  const calls = serving({ 'DELETE /cluster/v1/clusters/c1': { actionId: 'a2', state: 'Requested', releaseName: null } })
  drawInPortal(<Menu action={action} />, { more })
  return calls
}

const mayDeregister = { 'quayside-portal-ui-clusters': ['clusters.deregister'] }

it('a cluster that did not answer is forgotten without being asked, and the new action is opened', async () => {
  const calls = open(failed, mayDeregister)
  await userEvent.click(await screen.findByRole('button', { name: 'Forget cluster' }))
  expect((await screen.findByRole('dialog')).textContent).toMatch(/Harbour is forgotten .* stay on it/)
  expect(calls.filter(({ method }) => method === 'DELETE')).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: 'Confirm' }))
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('/cloud-automation/a2'))
  expect(calls.filter(({ method }) => method === 'DELETE')).toMatchObject([
    { path: '/cluster/v1/clusters/c1?forget=true' },
  ])
})

it('forgetting is closed to who may not deregister clusters', async () => {
  open(failed)
  expect((await screen.findByRole('button', { name: 'Forget cluster' })).getAttribute('aria-disabled')).toBe('true')
})

it.each([
  ['that still waits for its cluster', { running: true, state: 'Running' }],
  ['that has ended well', { state: 'Success' }],
  ['of another kind', { kind: 'DeleteSpace' }],
])('nothing is to be forgotten after an action %s', async (_, change) => {
  open({ ...failed, ...change } as unknown as Action, mayDeregister)
  expect(await screen.findByRole('button', { name: 'Open' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Forget cluster' })).toBeNull()
})
