import { act, screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { useApp } from '../../api/app.ts'
import { createQueryClient } from '../../lib/query-client.ts'
import { drawInPortal, Refusal, serving } from '../../testing/portal.tsx'

function Looked() {
  const app = useApp('a1')
  return <output>{app.error === null ? 'open' : 'gone'}</output>
}

it('an app that is gone is not asked for again, however often something changes', async () => {
  const calls = serving({ 'GET /portal-api/v2/apps/': new Refusal(404, 'This app does not exist.') })
  const queries = createQueryClient()
  drawInPortal(<Looked />, { queries })
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('gone'))
  for (let note = 0; note < 3; note += 1) await act(() => queries.invalidateQueries({ queryKey: ['apps'] }))
  expect(calls).toHaveLength(1)
  expect(screen.getByRole('status').textContent).toBe('gone')
})
