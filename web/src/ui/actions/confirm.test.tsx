import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { ConfirmProvider, useConfirm } from './confirm.tsx'

function Asker({ alert = false }: { alert?: boolean }) {
  const confirm = useConfirm()
  const [said, setSaid] = useState('')
  const ask = async () => setSaid(String(await confirm(alert ? { type: 'alert' } : undefined)))
  return (
    <>
      <button type="button" onClick={() => void ask()}>
        Ask
      </button>
      <output>{said}</output>
    </>
  )
}
const show = async (alert = false) => {
  render(
    <ConfirmProvider>
      <Asker alert={alert} />
    </ConfirmProvider>,
  )
  await userEvent.click(screen.getByText('Ask'))
}

it.each([
  ['Confirm', 'true'],
  ['Cancel', 'false'],
])('%s answers %s', async (button, answer) => {
  await show()
  expect(screen.getByRole('heading', { name: 'Confirm' })).toBeDefined()
  expect(screen.getByText('Are you sure?')).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: button }))
  expect(screen.getByRole('status').textContent).toBe(answer)
  expect(screen.queryByRole('dialog')).toBeNull()
})

it('an alert only says OK', async () => {
  await show(true)
  expect(screen.queryByRole('button', { name: 'Cancel' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'OK' }))
  expect(screen.getByRole('status').textContent).toBe('true')
})
