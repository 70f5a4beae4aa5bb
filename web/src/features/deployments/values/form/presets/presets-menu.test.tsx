import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { type Answers, drawInPortal, Refusal, serving } from '../../../../../testing/portal.tsx'
import { PresetsMenu } from './presets-menu.tsx'

beforeEach(() => {
  // This document knows neither popovers nor modal dialogs; the journey sees them.
  vi.spyOn(HTMLDialogElement.prototype, 'showModal').mockImplementation(function (this: HTMLDialogElement) {
    this.open = true
  })
})

const preset = { id: 'p1', name: 'Away', createdBy: 'dana', yaml: 'a: 1\n', catalogVersionId: 'v1' }

async function openMenu(answers: Answers) {
  const calls = serving({ 'GET /deployment/v1/presets/bycatalogitem/i1': { data: [preset] }, ...answers })
  drawInPortal(<PresetsMenu itemId="i1" versionId="v1" yaml="a: 1\n" onApply={() => undefined} />)
  const panel = await screen.findByRole('dialog', { name: 'Presets', hidden: true })
  fireEvent(panel, Object.assign(new Event('beforetoggle'), { newState: 'open' }))
  return calls
}

async function pressDelete(removed: unknown) {
  const calls = await openMenu({ 'DELETE /deployment/v1/presets/p1': removed })
  fireEvent.click(await screen.findByRole('button', { name: 'Delete Away', hidden: true }))
  await screen.findByRole('dialog', { name: 'Delete preset' })
  return () => calls.filter(({ method }) => method === 'DELETE').map(({ path }) => path)
}

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))

it('asks before a preset is deleted for everybody', async () => {
  const deleted = await pressDelete({})
  expect(screen.getByText(/gone for everybody of this tenant/)).toBeTruthy()
  press('Cancel')
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Delete preset' })).toBeNull())
  expect(deleted()).toEqual([])
  fireEvent.click(screen.getByRole('button', { name: 'Delete Away', hidden: true }))
  await screen.findByRole('dialog', { name: 'Delete preset' })
  press('Confirm')
  await waitFor(() => expect(deleted()).toEqual(['/deployment/v1/presets/p1']))
})

it('shows no preset any more that was deleted', async () => {
  let presets = [preset]
  await openMenu({
    'GET /deployment/v1/presets/bycatalogitem/i1': () => ({ data: presets }),
    'DELETE /deployment/v1/presets/p1': () => {
      presets = []
      return {}
    },
  })
  fireEvent.click(await screen.findByRole('button', { name: 'Delete Away', hidden: true }))
  await screen.findByRole('dialog', { name: 'Delete preset' })
  press('Confirm')
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Delete Away', hidden: true })).toBeNull())
})

it('says why a preset was not deleted, also when its menu has closed', async () => {
  await pressDelete(new Refusal(403, 'You may not delete this.'))
  press('Confirm')
  await screen.findByRole('dialog', { name: 'The preset was not deleted' })
})

it('says why a preset was not renamed, and keeps the name that was typed', async () => {
  await openMenu({ 'PATCH /deployment/v1/presets/p1': new Refusal(409, 'A preset of this name is there already.') })
  fireEvent.click(await screen.findByRole('button', { name: 'Rename Away', hidden: true }))
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Rename Away', hidden: true })
  fireEvent.change(field, { target: { value: 'At home' } })
  fireEvent.click(screen.getByRole('button', { name: 'Rename', hidden: true }))
  await screen.findByText('A preset of this name is there already.')
  expect(field.value).toBe('At home')
})
