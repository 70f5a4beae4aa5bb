import { cleanup, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { type Answers, drawInPortal, liveLine, Refusal, serving } from '../../../../testing/portal.tsx'
import { child, shop, well } from '../../testing/samples.ts'
import { texts } from '../../texts.ts'
import { InstallWizard } from './install-wizard.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const estimatePath = 'POST /metrics-dashboard/v1/cost/estimate'
const budgetPath = 'GET /metrics-dashboard/v1/cost/spaces/'
const budget = { amount: 100, currency: 'EUR', setBy: 'ines', setAt: '2031-05-01T12:00:00Z' }
const over = { ...well[estimatePath], budget: { amount: 100, monthly: 150, isExceeded: true } }
const next = async () => {
  const button = () => screen.getByRole<HTMLButtonElement>('button', { name: texts.next })
  await waitFor(() => expect(button().disabled).toBe(false), { timeout: 4000 })
  await userEvent.click(button())
}
const steps = () => screen.getByRole('list', { name: 'Steps' }).textContent

async function openAndGoOn(answers: Answers) {
  const calls = serving({ ...well, ...answers })
  drawInPortal(<InstallWizard child={child} spaceId={shop.id} kind="A" />, { line: liveLine() })
  await screen.findByText(texts.general.text)
  await next()
  await screen.findByText(texts.infrastructure.text)
  await next()
  return calls
}

it('asks for a reason where the budget of the space is exceeded, and sends it', async () => {
  const calls = await openAndGoOn({ [budgetPath]: { budget }, [estimatePath]: over })
  expect(await screen.findByRole('heading', { name: texts.costControl.heading })).toBeDefined()
  expect(steps()).toContain(texts.costControl.step)
  const step = screen.getByRole('region', { name: texts.costControl.step })
  expect(step.textContent).toContain(texts.costControl.text)
  expect(step.textContent).toContain(`${texts.costControl.budget}€100.00`)
  expect(step.textContent).toContain(`${texts.costControl.expected}€150.00`)
  expect(step.textContent).toContain(`${texts.costControl.beyond}€50.00`)
  expect(step.textContent).toContain(texts.costControl.reasonHelp)
  expect(screen.getByRole<HTMLButtonElement>('button', { name: texts.next }).disabled).toBe(true)
  await userEvent.type(screen.getByLabelText(new RegExp(`^${texts.costControl.reason}`)), 'The sale begins')
  await next()
  await screen.findByText(texts.summary.install)
  await userEvent.click(screen.getByRole('button', { name: texts.deploy }))
  await waitFor(() => expect(calls.find(({ path }) => path.endsWith('actions.Deploy'))).toBeDefined())
  expect(calls.find(({ path }) => path.endsWith('actions.Deploy'))?.body).toMatchObject({
    costReason: 'The sale begins',
  })
})

it.each<[string, Answers]>([
  ['has no budget', { [estimatePath]: over }],
  ['stays within its budget', { [budgetPath]: { budget } }],
  ['cannot be compared', { [budgetPath]: { budget }, [estimatePath]: new Refusal(502, 'away') }],
])('goes straight to the summary where the space %s', async (_, answers) => {
  const calls = await openAndGoOn(answers)
  expect(await screen.findByText(texts.summary.install)).toBeDefined()
  expect(steps()).not.toContain(texts.costControl.step)
  await userEvent.click(screen.getByRole('button', { name: texts.deploy }))
  await waitFor(() => expect(calls.find(({ path }) => path.endsWith('actions.Deploy'))).toBeDefined())
  expect(calls.find(({ path }) => path.endsWith('actions.Deploy'))?.body).not.toHaveProperty('costReason')
})
