import { clusters } from '@quayside/contract/clusters/endpoints'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { type Answers, answer, drawInPortal, Refusal, serving } from '../../testing/portal.tsx'
import { aCluster } from '../../testing/things.ts'
import { AddClusterDialog } from './add-cluster-dialog.tsx'

const context = (name: string) => ({ name, context: { cluster: `cluster of ${name}`, user: name } })
const kubeconfig = JSON.stringify({ contexts: [context('one'), context('two')], 'current-context': 'two' })

async function open(answers: Answers = answer(clusters.create, aCluster())) {
  const calls = serving(answers)
  const onAdded = vi.fn()
  const onClose = vi.fn()
  drawInPortal(<AddClusterDialog onAdded={onAdded} onClose={onClose} />)
  await screen.findByRole('dialog', { name: 'Add cluster' })
  const sent = () => calls.filter(({ method }) => method === 'POST').map(({ path, body }) => [path, body])
  return { sent, onAdded, onClose }
}
const name = () => screen.getByLabelText<HTMLInputElement>(/^Name/)
const config = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: /^Kubeconfig/ })
const press = (button: string) => userEvent.click(screen.getByRole('button', { name: button }))
const paste = (text: string) => fireEvent.change(config(), { target: { value: text } })

it('sends nothing while a name or a kubeconfig is missing, and says which', async () => {
  const { sent } = await open()
  await press('Test and add')
  expect(screen.getByText('Name required')).toBeDefined()
  expect(screen.getByText('A kubeconfig is required.')).toBeDefined()
  await userEvent.type(name(), 'North')
  await press('Test and add')
  paste('{}')
  await press('Test and add')
  expect(screen.getByText('This has no contexts, so it is not a kubeconfig.')).toBeDefined()
  expect(sent()).toEqual([])
})

it('sends what was typed, with the context that is chosen', async () => {
  const { sent, onAdded } = await open()
  await userEvent.type(name(), ' North ')
  paste(kubeconfig)
  await userEvent.click(screen.getByRole('button', { name: /^Context/ }))
  await userEvent.click(await screen.findByRole('option', { name: /^one/ }))
  await userEvent.click(screen.getByRole('checkbox', { name: /outside of their space/ }))
  await press('Test and add')
  await waitFor(() => expect(onAdded).toHaveBeenCalledOnce())
  expect(onAdded.mock.calls[0]?.[0]).toEqual(aCluster())
  expect(sent()).toEqual([
    ['/cluster/v1/clusters', { displayName: 'North', kubeconfig, context: 'one', clusterScoped: true }],
  ])
})

it('begins with the context that the kubeconfig names', async () => {
  const { sent, onAdded } = await open()
  await userEvent.type(name(), 'North')
  paste(kubeconfig)
  await press('Test and add')
  await waitFor(() => expect(onAdded).toHaveBeenCalledOnce())
  expect(sent()).toEqual([
    ['/cluster/v1/clusters', { displayName: 'North', kubeconfig, context: 'two', clusterScoped: false }],
  ])
})

it('keeps what was typed when the cluster cannot be reached, and says why', async () => {
  const { onAdded, onClose } = await open(answer(clusters.create, new Refusal(422, 'The address does not answer')))
  await userEvent.type(name(), 'North')
  paste(kubeconfig)
  await press('Test and add')
  expect((await screen.findByRole('alert', { name: /^Add cluster: / })).textContent).toContain(
    'The address does not answer',
  )
  expect([name().value, config().value]).toEqual(['North', kubeconfig])
  await press('Cancel')
  expect(onClose).toHaveBeenCalledOnce()
  expect(onAdded).not.toHaveBeenCalled()
})
