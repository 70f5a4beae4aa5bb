import type { App } from '@quayside/contract/apps/endpoints'
import type { Revision } from '@quayside/contract/deployments/endpoints'
import { configure, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { type Answers, drawInPortal, Refusal, serving } from '../../testing/portal.tsx'
import { StuckRelease } from './stuck-release.tsx'

configure({ asyncUtilTimeout: 8000 })

const helm = '/deployment/v1/helm/deployment'
const app = { id: 'a1', state: 'degraded' } as App
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
const newest = (isDead: boolean, more: Partial<Revision> = {}): Revision => ({
  revision: 2,
  version: '1.0.0',
  status: 'pending-upgrade',
  updatedAt: ago(42),
  description: 'Preparing upgrade',
  installed: false,
  startedBy: null,
  lock: { since: ago(42), movedAt: ago(isDead ? 40 : 2), isDead, says: 'held' },
  ...more,
})

function draw(revision: Revision, answers: Answers = {}, shown = app) {
  const calls = serving({
    [`GET ${helm}/revisions/`]: { data: [revision] },
    [`POST ${helm}/actions.Repair`]: { actionId: 'r1' },
    'GET /deployment/v1/actions/r1': { id: 'r1', state: 'Success', result: null },
    ...answers,
  })
  drawInPortal(<StuckRelease app={shown} />)
  return { calls, posted: () => calls.filter(({ method }) => method === 'POST').map(({ body }) => body) }
}
const question = async () => within(await screen.findByRole('dialog', { name: 'Repair release', hidden: true }))
const confirm = async () => userEvent.click((await question()).getByRole('button', { name: 'Confirm', hidden: true }))

it('a Helm that seems gone: says since when nothing moved, and is repaired', async () => {
  const { posted } = draw(newest(true))
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain('The release is locked: revision 2 is pending-upgrade')
  expect(alert.textContent).toContain('began it 42 min ago, and something last moved 40 min ago')
  await userEvent.click(screen.getByRole('button', { name: 'Repair' }))
  expect((await question()).getByText(/Revision 2 is marked as failed/)).toBeDefined()
  await confirm()
  await waitFor(() => expect(posted()).toEqual([{ appId: 'a1' }]))
})

it('a Helm that seems to live: says so, and a repair warns with its age before it forces', async () => {
  const { posted } = draw(newest(false))
  expect((await screen.findByRole('alert')).textContent).toContain('Helm is probably running: revision 2')
  await userEvent.click(screen.getByRole('button', { name: 'Repair' }))
  const words = (await question()).getByText(/began this 42 min ago, and something last moved 2 min ago/)
  expect(words.textContent).toContain('a mix of both')
  await confirm()
  await waitFor(() => expect(posted()).toEqual([{ appId: 'a1', force: true }]))
})

it.each([
  ['no Helm holds', newest(true, { status: 'deployed', lock: null }), app],
  ['an action of this portal works on', newest(true), { ...app, state: 'deploying' } as App],
])('a release that %s says nothing', async (_, revision, shown) => {
  const { calls } = draw(revision, {}, shown)
  await waitFor(() => expect(calls.some(({ path }) => path.includes('/revisions/'))).toBe(true))
  expect(screen.queryByRole('alert')).toBeNull()
})

it('a repair that is refused says why', async () => {
  draw(newest(true), { [`POST ${helm}/actions.Repair`]: new Refusal(409, 'Another action is running') })
  await userEvent.click(await screen.findByRole('button', { name: 'Repair' }))
  await confirm()
  expect(await screen.findByText('Another action is running')).toBeDefined()
})
