import { notifications, type Subscriptions } from '@quayside/contract/notifications/endpoints'
import { cleanup, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { answer, drawInPortal, Refusal, serving } from '../../testing/portal.tsx'
import { SubscriptionChoice } from './subscription-choice.tsx'

const all: Subscriptions = {
  ...{ 'action-failed': true, 'app-unhealthy': true, 'app-healthy': false, 'token-expiring': true },
}
const box = (name: RegExp) => screen.findByRole('checkbox', { name }) as Promise<HTMLInputElement>

it('shows what the person is told, and changes one kind', async () => {
  const calls = serving({
    ...answer(notifications.subscriptions, all),
    ...answer(notifications.setSubscriptions, { ...all, 'app-healthy': true }),
  })
  drawInPortal(<SubscriptionChoice />)
  expect((await box(/^An action failed/)).checked).toBe(true)
  expect((await box(/healthy again/)).checked).toBe(false)
  await userEvent.click(await box(/healthy again/))
  await waitFor(() =>
    expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({ ...all, 'app-healthy': true }),
  )
  await waitFor(async () => expect((await box(/healthy again/)).checked).toBe(true))
})

it('says why it could not be read or changed', async () => {
  serving({ ...answer(notifications.subscriptions, new Refusal(500, 'The portal is away')) })
  drawInPortal(<SubscriptionChoice />)
  expect((await screen.findByRole('alert', { name: /^Notifications/ })).textContent).toContain('The portal is away')
  cleanup()
  serving({
    ...answer(notifications.subscriptions, all),
    ...answer(notifications.setSubscriptions, new Refusal(503, 'The database is away')),
  })
  drawInPortal(<SubscriptionChoice />)
  await userEvent.click(await box(/^An action failed/))
  expect((await screen.findByRole('alert', { name: /^Notifications/ })).textContent).toContain('The database is away')
})
