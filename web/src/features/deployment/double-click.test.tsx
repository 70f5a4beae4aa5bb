import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { drawInPortal, serving } from '../../testing/portal.tsx'
import { app, well } from './testing/samples.ts'
import { texts } from './texts.ts'
import { DeleteWizard } from './wizard/delete-wizard.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })

it('the second click of a double-click is not for the button that has come to its place', async () => {
  const calls = serving(well)
  drawInPortal(<DeleteWizard app={app} />)
  await waitFor(() => expect(button(texts.delete).disabled).toBe(false))
  fireEvent.click(button(texts.delete), { detail: 1 })
  const before = await screen.findByRole('button', { name: texts.close })
  fireEvent.click(before, { detail: 2 })
  expect(button(texts.close).isConnected).toBe(true)
  await waitFor(() => expect(calls.filter(({ path }) => path.endsWith('actions.Delete'))).toHaveLength(1))
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
