import { expect, it } from 'vitest'
import { actorName, namesIn } from './actor-name.ts'

it('the account of a script is called as its client', () => {
  expect([actorName('service-account-nightly'), actorName('mara')]).toEqual(['nightly', 'mara'])
})

it('people are called by their display names, and by their user names as well where two share one', () => {
  const [ravi, other, ines] = [
    { name: 'Ravi Sandoval', username: 'ravi' },
    { name: 'Ravi Sandoval', username: 'ravi.s' },
    { name: 'Ines Duarte', username: 'ines' },
  ]
  const called = namesIn([ravi, other, ines, ravi])
  expect([ravi, other, ines].map(called)).toEqual(['Ravi Sandoval (ravi)', 'Ravi Sandoval (ravi.s)', 'Ines Duarte'])
  expect(namesIn([ravi, ravi, ines])(ravi)).toBe('Ravi Sandoval')
})
