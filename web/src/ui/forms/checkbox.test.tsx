import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { draw } from '../../testing/draw.tsx'
import { Checkbox } from './checkbox.tsx'

it('is named by its words, shows what is partly chosen and reports what was ticked', async () => {
  const onChange = vi.fn()
  draw(
    <Checkbox partial checked={false} onChange={onChange}>
      Developers
    </Checkbox>,
  )
  const box = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Developers' })
  expect(box.indeterminate).toBe(true)
  await userEvent.click(screen.getByText('Developers'))
  expect(onChange).toHaveBeenCalledWith(true)
})
