import { cleanup, fireEvent, render } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { Avatar } from './avatar.tsx'

afterEach(cleanup)

const picture = () => document.querySelector('img')
const letters = () => document.querySelector('[data-letters]')?.getAttribute('data-letters')

it('shows the picture, and the letter when there is none or it cannot be had', () => {
  const { rerender } = render(<Avatar name="Harbour" image="https://icons.example/harbour.svg" />)
  expect([picture()?.getAttribute('src'), letters()]).toEqual(['https://icons.example/harbour.svg', undefined])
  fireEvent.error(picture() as HTMLImageElement)
  expect([picture(), letters()]).toEqual([null, 'H'])
  rerender(<Avatar name="Harbour" image="data:image/svg+xml,x" />)
  expect(picture()?.getAttribute('src')).toBe('data:image/svg+xml,x')
  rerender(<Avatar name="Harbour" image={null} />)
  expect(letters()).toBe('H')
})
