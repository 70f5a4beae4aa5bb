import { render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { TagList } from './tag.tsx'

it('names what does not fit in the tooltip of its count', () => {
  render(<TagList tags={['a', 'b', 'c', 'd', 'e']} show={3} />)
  expect(screen.getByText('+2').title).toBe('d, e')
  expect(screen.queryByText('d')).toBeNull()
})

it('counts nothing when all are shown', () => {
  render(<TagList tags={['a', 'b']} show={3} />)
  expect(screen.queryByText(/^\+/)).toBeNull()
})
