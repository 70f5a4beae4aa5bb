import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { ApiError } from '../../lib/api/api-error.ts'
import { ErrorPanel } from './error-panel.tsx'

const textOf = (status: number, message: string) => {
  const { unmount } = render(<ErrorPanel error={new ApiError(status, message, { requestId: 'r7' })} name="Apps" />)
  const { textContent } = screen.getByRole('alert', { name: /^Apps: / })
  unmount()
  return textContent
}

it('a portal that is busy says so and nothing of codes or of support', () => {
  expect(textOf(429, 'The portal has too much to do right now.')).toBe(
    'The portal is busyThe portal has too much to do right now.',
  )
})

it('any other refusal is told with its code, its reason and its request', () => {
  expect(textOf(409, 'taken')).toBe(
    'Something went wrongStatus code: 409Reason: takenPlease contact our technical support.Request r7',
  )
})
