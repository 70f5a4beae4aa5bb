import { costPrices, type PriceSheet } from '@quayside/contract/cost/prices'
import { cleanup, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'
import { answer, drawInPortal, Refusal, serving } from '../../../testing/portal.tsx'
import { ClusterPrices } from './cluster-prices.tsx'

afterEach(cleanup)

const id = { id: 'c1' }
const sheet = (validFrom: string, coreHour: number): PriceSheet => ({
  ...{ currency: 'EUR', coreHour, memoryGibHour: 0.01, storage: [], loadBalancerHour: null, overheadHour: 0.1 },
  ...{ validFrom, createdAt: validFrom, createdBy: 'ines' },
})

function open(sheets: PriceSheet[], saved: PriceSheet[] | Refusal = [], held = ['clusters.edit']) {
  const calls = serving({
    ...answer(costPrices.getPrices, { clusterId: 'c1', data: sheets }, id),
    ...answer(costPrices.setPrices, saved instanceof Refusal ? saved : { clusterId: 'c1', data: saved }, id),
  })
  drawInPortal(<ClusterPrices clusterId="c1" />, { more: { 'quayside-portal-ui-clusters': held } })
  return calls
}
const setPrices = async () => userEvent.click(await screen.findByRole('button', { name: 'Set prices' }))

it('shows which prices are in force, planned and ended', async () => {
  open([sheet('2999-01-01T00:00:00Z', 3), sheet('2020-02-01T00:00:00Z', 2), sheet('2020-01-01T00:00:00Z', 1)])
  await screen.findByText('Planned')
  const rows = screen
    .getAllByRole('row')
    .slice(1)
    .map(({ textContent }) => textContent)
  expect(rows[0]).toContain('Planned')
  expect(rows[1]).toContain('In force')
  expect(rows[1]).toContain('€2.00')
  expect(rows[1]).toContain('No price')
  expect(rows[2]).toContain('Ended')
})

it('offers list prices and assumes none', async () => {
  const calls = open([])
  expect(await screen.findByText('No price')).toBeDefined()
  await setPrices()
  const dialog = within(await screen.findByRole('dialog', { name: 'Set prices' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  expect(dialog.getAllByText('Enter a price.')).toHaveLength(2)
  expect(calls.some(({ method }) => method === 'PUT')).toBe(false)
  await userEvent.click(dialog.getByRole('button', { name: /list prices/ }))
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  expect(calls.find(({ method }) => method === 'PUT')?.body).toMatchObject({ currency: 'USD', coreHour: 0.031611 })
})

it('says what the server refuses at its field', async () => {
  open([sheet('2020-02-01T00:00:00Z', 2)], new Refusal(409, 'Prices of the past stay as they are.', 'cost.past-prices'))
  await setPrices()
  const dialog = within(await screen.findByRole('dialog', { name: 'Set prices' }))
  expect(dialog.queryByRole('button', { name: /list prices/ })).toBeNull()
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  expect(await dialog.findByText(/Prices of the past stay as they are/)).toBeDefined()
})

it('without the right the button says why', async () => {
  open([], [], ['clusters.view'])
  expect((await screen.findByRole('button', { name: 'Set prices' })).getAttribute('aria-disabled')).toBe('true')
})
