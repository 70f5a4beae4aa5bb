import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { useWizards, type WizardResult, WizardsProvider } from './wizards.tsx'

let ended: WizardResult | undefined
beforeEach(() => {
  ended = undefined
})

const request = { kind: 'upgrade', appId: 'a' } as const

/** A button, a menu of another one, and a wizard that can be closed or lead to the next. */
function Page() {
  const { request: shown, open, close } = useWizards()
  return (
    <main id="page" tabIndex={-1}>
      <button type="button" onClick={() => void open(request)}>
        Upgrade
      </button>
      <button type="button" id="owner">
        Actions
      </button>
      {shown === undefined && (
        <div role="menu" aria-labelledby="owner">
          <button type="button" role="menuitem" onClick={() => void open(request)}>
            Roll back
          </button>
        </div>
      )}
      {shown !== undefined && (
        <div role="dialog" aria-label="Wizard">
          <button type="button" onClick={() => void open({ kind: 'delete', appId: 'a' })}>
            Again
          </button>
          <button type="button" onClick={() => close(ended)}>
            Close
          </button>
        </div>
      )}
    </main>
  )
}

const draw = () =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <WizardsProvider>
        <Page />
      </WizardsProvider>
    </QueryClientProvider>,
  )
const press = (role: 'button' | 'menuitem', name: string) => userEvent.click(screen.getByRole(role, { name }))
const focused = (name: string) =>
  waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name })))

it('the button that opened a wizard has the focus when it is closed', async () => {
  draw()
  await press('button', 'Upgrade')
  await press('button', 'Close')
  await focused('Upgrade')
})

it('a menu is gone by then: its button has the focus', async () => {
  draw()
  await press('menuitem', 'Roll back')
  await press('button', 'Close')
  await focused('Actions')
})

it('a wizard that follows another one leads back to where the first came from', async () => {
  draw()
  await press('button', 'Upgrade')
  await press('button', 'Again')
  await press('button', 'Close')
  await focused('Upgrade')
})

it('after a deletion, whose row is gone, the page has it', async () => {
  ended = { success: true, type: 'Delete' }
  draw()
  await press('button', 'Upgrade')
  await press('button', 'Close')
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('main')))
})
