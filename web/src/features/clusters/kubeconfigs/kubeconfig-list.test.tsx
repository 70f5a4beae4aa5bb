import type { HandedOutKubeconfig } from '@quayside/contract/clusters/kubeconfigs'
import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { drawInPortal, Refusal, serving } from '../../../testing/portal.tsx'
import { KubeconfigList } from './kubeconfig-list.tsx'

const one = (more: Partial<HandedOutKubeconfig> = {}): HandedOutKubeconfig => ({
  ...{
    id: 'k1',
    user: { id: 'u2', name: 'Ravi' },
    space: { id: 's1', name: 'Shop' },
    cluster: { id: 'c1', name: 'Sandbox' },
  },
  ...{ role: 'deployer', state: 'valid', issuedAt: new Date().toISOString() },
  ...{
    expiresAt: new Date(Date.now() + 45 * 60_000).toISOString(),
    endedAt: null,
    endedBecause: null,
    endedBy: null,
    ...more,
  },
})

const page = (...data: HandedOutKubeconfig[]) => ({
  data,
  page: { skip: 0, limit: 50, total: data.length },
  next: null,
})

it('says whose it is, where, with which rights and until when, and why one has ended', async () => {
  const lost = { state: 'ended', endedAt: new Date().toISOString(), endedBecause: 'access-lost' } as const
  const gil = { id: 'u3', name: 'Gil' }
  serving({
    'GET /cluster/v1/spaces/s1/kubeconfigs': page(
      one(),
      one({ id: 'k2', user: gil, role: 'viewer', ...lost }),
      one({ id: 'k3', state: 'ending' }),
    ),
  })
  drawInPortal(<KubeconfigList reach={{ of: 'space', id: 's1' }} />)
  const rows = await screen.findAllByRole('row', { name: /Ravi|Gil/ })
  expect(rows[0]?.textContent).toMatch(/Ravi.*Sandbox.*Deployer.*ends in 45 min/)
  expect(rows[1]?.textContent).toMatch(/Gil.*Viewer.*Ended.*its holder lost the right to it/)
  expect(rows[2]?.textContent).toContain('Ends as soon as its cluster answers')
  expect(screen.getAllByRole('button', { name: /^End kubeconfig/ })).toHaveLength(1)
})

it.each([
  [{ of: 'me' } as const, '/cluster/v1/kubeconfigs'],
  [{ of: 'cluster', id: 'c1' } as const, '/cluster/v1/clusters/c1/kubeconfigs'],
])('%j: one is ended after a question, and is not offered again', async (reach, path) => {
  let list = [one()]
  const calls = serving({
    [`GET ${path}`]: () => page(...list),
    [`DELETE ${path}/k1`]: () => {
      list = [one({ state: 'ended', endedAt: new Date().toISOString(), endedBecause: 'ended', endedBy: 'mara' })]
      return {}
    },
  })
  drawInPortal(<KubeconfigList reach={reach} />)
  await userEvent.click(await screen.findByRole('button', { name: 'End kubeconfig of Ravi for Shop' }))
  expect(calls.every(({ method }) => method === 'GET')).toBe(true)
  await userEvent.click(await screen.findByRole('button', { name: 'Confirm' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: /^End kubeconfig/ })).toBeNull())
  expect(screen.getByText(/ended by hand/).textContent).toContain('by mara')
})

it('a kubeconfig that cannot be ended stays, and it is said why', async () => {
  serving({
    'GET /cluster/v1/kubeconfigs': page(one()),
    'DELETE /cluster/v1/kubeconfigs/k1': new Refusal(503, 'The database cannot be reached. Try again in a moment.'),
  })
  drawInPortal(<KubeconfigList reach={{ of: 'me' }} />)
  await userEvent.click(await screen.findByRole('button', { name: /^End kubeconfig/ }))
  await userEvent.click(await screen.findByRole('button', { name: 'Confirm' }))
  const told = await screen.findByRole('dialog', { name: 'The kubeconfig was not ended' })
  expect(told.textContent).toContain('The database cannot be reached')
})
