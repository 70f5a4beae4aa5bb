import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { useUndoKeys } from './use-undo-keys.ts'

const [undo, redo] = [vi.fn(), vi.fn()]
const isTold = () => {
  const told = [undo.mock.calls.length, redo.mock.calls.length]
  undo.mockClear()
  redo.mockClear()
  return told
}

function Page({ layer }: { layer?: 'dialog' | 'menu' | 'listbox' }) {
  useUndoKeys({ undo, redo })
  return (
    <>
      <button type="button">Panel</button>
      <input aria-label="Search" />
      {layer !== undefined && <div role={layer} />}
    </>
  )
}

it('undoes and redoes by keys on the page, and leaves them to fields', async () => {
  render(<Page />)
  await userEvent.click(screen.getByRole('button'))
  await userEvent.keyboard('{Control>}z{/Control}')
  expect(isTold()).toEqual([1, 0])
  await userEvent.keyboard('{Meta>}{Shift>}Z{/Shift}{/Meta}')
  expect(isTold()).toEqual([0, 1])
  await userEvent.keyboard('z{Control>}{Alt>}z{/Alt}{/Control}')
  await userEvent.type(screen.getByRole('textbox'), '{Control>}z{/Control}')
  expect(isTold()).toEqual([0, 0])
})

it.each(['dialog', 'menu', 'listbox'] as const)('leaves the keys to a %s that lies over the page', async (layer) => {
  render(<Page layer={layer} />)
  const drawn = vi.spyOn(screen.getByRole(layer), 'getClientRects')
  await userEvent.click(screen.getByRole('button'))
  drawn.mockReturnValue([{}] as unknown as DOMRectList)
  await userEvent.keyboard('{Control>}z{/Control}')
  expect(isTold()).toEqual([0, 0])
  // One that is kept in the document and not drawn holds nothing up.
  drawn.mockReturnValue([] as unknown as DOMRectList)
  await userEvent.keyboard('{Control>}z{/Control}')
  expect(isTold()).toEqual([1, 0])
})
