import { fireEvent, render } from '@testing-library/react'
import { expect, it } from 'vitest'
import { Avatar } from './avatar.tsx'

const picture = () => document.querySelector('img')
const letters = () => document.querySelector('[data-letters]')?.getAttribute('data-letters')

/** The width, height and text of the default picture; undefined when another picture is shown. */
const drawn = () => {
  const [kind, svg = ''] = picture()?.getAttribute('src')?.split(',') ?? []
  if (kind !== 'data:image/svg+xml' || svg === 'x') return undefined
  const { documentElement: root } = new DOMParser().parseFromString(decodeURIComponent(svg), 'image/svg+xml')
  return [root.getAttribute('width'), root.getAttribute('height'), root.textContent]
}

it('shows the picture, and the default one of 160 by 160 when there is none or it cannot be had', () => {
  const { rerender } = render(<Avatar name="Harbour" image="https://icons.example/harbour.svg" />)
  expect([picture()?.getAttribute('src'), drawn()]).toEqual(['https://icons.example/harbour.svg', undefined])
  fireEvent.error(picture() as HTMLImageElement)
  expect(drawn()).toEqual(['160', '160', 'H'])
  rerender(<Avatar name="Harbour" image="data:image/svg+xml,x" />)
  expect([picture()?.getAttribute('src'), drawn()]).toEqual(['data:image/svg+xml,x', undefined])
  rerender(<Avatar name="<&" image={null} />)
  expect([drawn(), letters()]).toEqual([['160', '160', '<'], undefined])
  rerender(<Avatar name="🚢 ship" image={null} />)
  expect(drawn()).toEqual(['160', '160', '🚢'])
  rerender(<Avatar name={'\ud83d'} image={null} />)
  expect(drawn()).toEqual(['160', '160', ''])
})

it('shows the letters of what has no pictures', () => {
  render(<Avatar name="Harbour" />)
  expect([picture(), letters()]).toEqual([null, 'H'])
})
