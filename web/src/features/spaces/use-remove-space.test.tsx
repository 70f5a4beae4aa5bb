import type { Space } from '@quayside/contract/spaces/endpoints'
import { useLocation } from '@tanstack/react-router'
import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { drawInPortal, Refusal, serving } from '../../testing/portal.tsx'
import { useRemoveSpace } from './use-remove-space.tsx'

const shop = { id: 'shop123', displayName: 'Shop' } as Space

function Removal() {
  const remove = useRemoveSpace()
  return (
    <>
      <output>{useLocation().pathname}</output>
      <button type="button" onClick={() => void remove(shop)}>
        Delete
      </button>
    </>
  )
}

it('opens the action that deletes the space', async () => {
  serving({ 'DELETE /portal-api/v3/spaces/shop123': { actionId: 'a1', state: 'Requested', releaseName: null } })
  drawInPortal(<Removal />)
  await userEvent.click(await screen.findByRole('button', { name: 'Delete' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Confirm' }))
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('/cloud-automation/a1'))
})

it('says why a space is not deleted, and stays', async () => {
  serving({ 'DELETE /portal-api/v3/spaces/shop123': new Refusal(409, 'The space still holds apps.') })
  drawInPortal(<Removal />)
  await userEvent.click(await screen.findByRole('button', { name: 'Delete' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Confirm' }))
  expect((await screen.findByRole('dialog', { name: 'The space was not deleted' })).textContent).toContain('holds apps')
  expect(screen.getByRole('status').textContent).toBe('/')
})
