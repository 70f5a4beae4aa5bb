import { scaling, type WorkloadLimits } from '@quayside/contract/clusters/scaling'
import { deployments } from '@quayside/contract/deployments/endpoints'
import { permissions } from '@quayside/contract/permissions/endpoints'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { type Answers, answer, drawInPortal, Refusal, serving } from '../../../testing/portal.tsx'
import { anApp } from '../../../testing/things.ts'
import { AppScaling } from './app-scaling.tsx'

const id = { id: '7app001' }
const nothing = { cpu: null, memory: null }
const aWorkload = (more: Partial<WorkloadLimits> = {}): WorkloadLimits => ({
  ...{ kind: 'Deployment', name: 'web', state: 'healthy', message: null },
  ...{ replicas: 4, ready: 3, released: { replicas: 2 }, autoscaler: null },
  containers: [
    {
      name: 'nginx',
      requests: { cpu: '100m', memory: null },
      limits: nothing,
      released: { requests: { cpu: '50m', memory: null }, limits: nothing },
    },
  ],
  ...more,
})

function open(answers: Answers = {}, workloads = [aWorkload()], roles = ['catalog.deployments.manage']) {
  const quotas = [{ quota: 'team', resource: 'pods', used: '3', hard: '10' }]
  const calls = serving({
    ...answer(scaling.limitsOfApp, { data: workloads, quotas }, id),
    ...answer(permissions.myScopes, { data: [] }),
    ...answer(scaling.scale, { actionId: 'a1', state: 'accepted' }),
    ...answer(scaling.setLimits, { actionId: 'a1', state: 'accepted' }),
    ...answer(scaling.restart, { actionId: 'a1', state: 'accepted' }),
    ...answer(deployments.getAction, { state: 'Success', result: { summary: 'It is done' } } as never, { id: 'a1' }),
    ...answers,
  })
  drawInPortal(<AppScaling app={anApp()} />, { route: 'apps/$appId', at: '/apps/7app001', roles })
  return { sent: (path: string) => calls.find((call) => call.method === 'POST' && call.path.endsWith(path))?.body }
}

it('shows what runs, what the next upgrade sets back, and the quota', async () => {
  open()
  expect(await screen.findByRole('heading', { name: 'Deployment web' })).toBeDefined()
  expect(screen.getByText('3 of 4 ready')).toBeDefined()
  expect(screen.getByText('The next upgrade sets this back to 2')).toBeDefined()
  expect(screen.getByText('The next upgrade sets this back to 50m')).toBeDefined()
  const quota = within(screen.getByRole('table', { name: 'Quota of the space' }))
  expect(quota.getAllByRole('row').map(({ textContent }) => textContent)).toContain('pods310team')
})

it('scales within bounds and tells how the action has ended', async () => {
  const { sent } = open()
  await userEvent.click(await screen.findByRole('button', { name: 'Scale' }))
  const field = await screen.findByRole('textbox', { name: 'Replicas' })
  await userEvent.clear(field)
  await userEvent.type(field, '1001')
  const dialog = within(screen.getByRole('dialog'))
  expect(dialog.getByText('Enter a whole number from 0 to 1000.')).toBeDefined()
  expect((dialog.getByRole('button', { name: 'Scale' }) as HTMLButtonElement).disabled).toBe(true)
  await userEvent.clear(field)
  await userEvent.type(field, '0')
  expect(dialog.getByText(/With 0 replicas nothing of this workload runs/)).toBeDefined()
  await userEvent.click(dialog.getByRole('button', { name: 'Scale' }))
  await waitFor(() => expect(sent('apps.scale')).toMatchObject({ kind: 'Deployment', name: 'web', replicas: 0 }))
  expect(await screen.findByText('It is done')).toBeDefined()
})

it('keeps what was typed when the quota refuses it', async () => {
  open(answer(scaling.scale, new Refusal(409, 'Quota team: pods: 6 more needed, 1 of 6 left')))
  await userEvent.click(await screen.findByRole('button', { name: 'Scale' }))
  await userEvent.type(await screen.findByRole('textbox', { name: 'Replicas' }), '0')
  await userEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Scale' }))
  expect(await screen.findByText(/Quota team: pods/)).toBeDefined()
  expect((screen.getByRole('textbox', { name: 'Replicas' }) as HTMLInputElement).value).toBe('40')
})

it('sets limits; what is left empty is removed', async () => {
  const { sent } = open()
  await userEvent.click(await screen.findByRole('button', { name: /nginx/ }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Set limits' }))
  await userEvent.clear(await screen.findByRole('textbox', { name: 'CPU request' }))
  const memory = screen.getByRole('textbox', { name: 'Memory limit' })
  await userEvent.type(memory, 'lots')
  expect(screen.getByText('Enter an amount such as 128Mi or 2Gi.')).toBeDefined()
  await userEvent.clear(memory)
  await userEvent.type(memory, '256Mi')
  await userEvent.click(screen.getByRole('button', { name: 'Set limits' }))
  await waitFor(() =>
    expect(sent('set.limits')).toMatchObject({
      container: 'nginx',
      requests: { cpu: null, memory: null },
      limits: { cpu: null, memory: '256Mi' },
    }),
  )
})

it('restarts, and leaves replicas to an autoscaler', async () => {
  const { sent } = open({}, [aWorkload({ autoscaler: 'elastic' })])
  await userEvent.click(await screen.findByRole('button', { name: 'Restart' }))
  await waitFor(() => expect(sent('apps.restart')).toMatchObject({ kind: 'Deployment', name: 'web' }))
  expect(screen.queryByRole('button', { name: 'Scale' })).toBeNull()
  expect(screen.getByText('Set by the autoscaler elastic')).toBeDefined()
})

it('says when there is nothing to scale', async () => {
  open({}, [])
  expect(await screen.findByText('Nothing to scale')).toBeDefined()
})
