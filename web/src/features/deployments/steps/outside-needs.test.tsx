import type { NeedVerdict } from '@quayside/contract/clusters/rules'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { drawInPortal, Refusal, serving } from '../../../testing/portal.tsx'
import { OutsideNeeds } from './outside-needs.tsx'

const metadata = { tenantIdentifier: 't', envIdentifier: 'e', instanceIdentifier: 'a', appIdentifier: 'a' }
const ask = 'POST /deployment/v1/helm/deployment/approvals/v1'
const result = (verdict: NeedVerdict, { canAsk = true, approvalId = null as string | null } = {}) => ({
  ...{ provider: 'Policy', resultType: 'error' as const, remedy: [], lines: [], success: verdict === 'approved' },
  outside: {
    ...{ elevates: true, asksFor: [{ type: 'role' as const, id: 'harbour-crew' }], canAsk, approvalId },
    needs: [
      {
        ...{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', name: 'nodes', namespace: null },
        ...{ elevates: true, grants: ['Read all nodes'], verdict, message: '' },
      },
    ],
  },
})

function open(shown: ReturnType<typeof result>, answers = {}) {
  const again = vi.fn()
  const calls = serving(answers)
  drawInPortal(<OutsideNeeds versionId="v1" appMetadata={metadata} yaml="a: 1" result={shown} again={again} />)
  return { again, calls }
}

it('says what is needed and what it gives, sends a reason and has the values judged again', async () => {
  const { again, calls } = open(result('ask'), { [ask]: { id: 'ap1', state: 'open' } })
  const needs = await screen.findByRole('region', { name: 'Needed outside of the space' })
  expect(needs.textContent).toMatch(/ClusterRole nodes.*Not on the list of the cluster.*Read all nodes/)
  expect(needs.textContent).toContain(
    'With these, everybody who can run a pod in the space has these rights on the cluster.',
  )
  await userEvent.click(within(needs).getByRole('button', { name: 'Ask for approval' }))
  expect(needs.textContent).toContain('Read by the people who look after the cluster.')
  const send = within(needs).getByRole('button', { name: 'Send request' })
  expect(send).toHaveProperty('disabled', true)
  await userEvent.type(within(needs).getByLabelText(/^Reason/), 'We watch nodes')
  await userEvent.click(send)
  await waitFor(() => expect(again).toHaveBeenCalledOnce())
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
    ...{ appMetadata: metadata, yaml: 'a: 1', reason: 'We watch nodes' },
  })
})

it('a refused request keeps the reason', async () => {
  open(result('ask'), { [ask]: new Refusal(409, 'Too many requests wait.') })
  await userEvent.click(await screen.findByRole('button', { name: 'Ask for approval' }))
  await userEvent.type(screen.getByLabelText(/^Reason/), 'We watch nodes')
  await userEvent.click(screen.getByRole('button', { name: 'Send request' }))
  expect((await screen.findByRole('alert', { name: /Ask for approval/ })).textContent).toContain('Too many requests')
  expect(screen.getByLabelText(/^Reason/)).toHaveProperty('value', 'We watch nodes')
})

it.each([
  ['waiting', true, 'Waits for approval'],
  ['waiting', true, 'Somebody who looks after the cluster has to approve. This page goes on by itself then.'],
  ['never', false, 'Nobody can approve it'],
  ['approved', true, 'Approved'],
] as const)('%s: there is nothing to ask for', async (verdict, canAsk, words) => {
  open(result(verdict, { canAsk }))
  expect((await screen.findByRole('region', { name: 'Needed outside of the space' })).textContent).toContain(words)
  expect(screen.queryByRole('button')).toBeNull()
})

it('an object on the list of the cluster is named beside one whose request was declined', async () => {
  const shown = result('declined')
  const listed = result('rule').outside.needs.map((need) => ({
    ...need,
    kind: 'StorageClass',
    name: 'fast',
    grants: [],
  }))
  shown.outside.needs.push(...listed)
  open(shown)
  const region = await screen.findByRole('region', { name: 'Needed outside of the space' })
  const lines = within(region)
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)
  expect(lines).toEqual(['ClusterRole nodesDeclinedRead all nodes', 'StorageClass fastOn the list of the cluster'])
  expect(within(region).getByRole('button', { name: 'Ask for approval' })).toBeDefined()
})
