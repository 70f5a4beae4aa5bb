import { fireEvent, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { useWizards } from '../../../api/deployments/wizards.tsx'
import { drawInPortal, serving } from '../../../testing/portal.tsx'
import { app, well } from '../testing/samples.ts'
import { texts } from '../texts.ts'
import { WizardHost } from '../wizard-host.tsx'
import { DeleteWizard } from './delete/delete-wizard.tsx'

const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })

/** A page with a wizard over it, which goes when it is closed. */
function Page() {
  const { open } = useWizards()
  const [closed, setClosed] = useState(false)
  const go = () => void open({ kind: 'delete', appId: app.id }).then(() => setClosed(true))
  return (
    <>
      <button type="button" onClick={go}>
        Begin
      </button>
      {closed && <output>closed</output>}
      <WizardHost />
    </>
  )
}

it('the second click of a double-click is not for the button that has come to its place', async () => {
  const calls = serving(well)
  drawInPortal(<Page />)
  await userEvent.click(await screen.findByRole('button', { name: 'Begin' }))
  await screen.findByRole('button', { name: texts.delete })
  await waitFor(() => expect(button(texts.delete).disabled).toBe(false))
  fireEvent.click(button(texts.delete), { detail: 1 })
  const before = await screen.findByRole('button', { name: texts.close })
  fireEvent.click(before, { detail: 2 })
  await waitFor(() => expect(calls.some(({ path }) => path.endsWith('actions.Delete'))).toBe(true))
  expect(screen.queryByText('closed')).toBeNull()
  expect(button(texts.close).isConnected).toBe(true)
  fireEvent.click(button(texts.close), { detail: 1 })
  expect(await screen.findByText('closed')).toBeDefined()
  expect(calls.filter(({ path }) => path.endsWith('actions.Delete'))).toHaveLength(1)
})

it('no pointer reaches buttons that have just come', async () => {
  serving(well)
  drawInPortal(<DeleteWizard app={app} />)
  const foot = () => button(texts.cancel).closest('footer')
  await screen.findByRole('button', { name: texts.cancel })
  expect(foot()?.className).toContain('moving')
  await waitFor(() => expect(foot()?.className).not.toContain('moving'), { timeout: 3000 })
  await userEvent.click(button(texts.delete))
  expect(foot()?.className).toContain('moving')
})
