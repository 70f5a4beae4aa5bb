import { expect, it } from 'vitest'
import { createLogPlaces } from './log-places.ts'

const taken = (places: ReturnType<typeof createLogPlaces>, count: number, of: (index: number) => [string, string]) =>
  Array.from({ length: count }, (_, index) => places.take(...of(index))).filter((place) => place !== undefined)

it('gives a person a hundred, a cluster a hundred and all together four hundred', () => {
  expect(taken(createLogPlaces(), 500, (index) => ['ines', `cluster${index}`])).toHaveLength(100)
  expect(taken(createLogPlaces(), 500, (index) => [`person${index}`, 'sandbox'])).toHaveLength(100)
  expect(taken(createLogPlaces(), 500, (index) => [`person${index}`, `cluster${index}`])).toHaveLength(400)
})

it('gives a place to another when it was given back, and counts that once', () => {
  const places = createLogPlaces()
  const [first] = taken(places, 100, () => ['ines', 'sandbox'])
  expect(places.take('ravi', 'sandbox')).toBeUndefined()
  first?.()
  first?.()
  expect(places.take('ravi', 'sandbox')).toBeDefined()
  expect(places.take('ravi', 'sandbox')).toBeUndefined()
})
