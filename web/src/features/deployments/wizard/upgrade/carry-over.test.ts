import { expect, test } from 'vitest'
import { carriedOver } from './carry-over.ts'

const before = '# How many\ntanks: 2\nname: pier\n'

test.each([
  ['untouched values become those of the version', before, 'tanks: 3\n', 'tanks: 3\n'],
  ['edited ones stay as they are for the same version', 'tanks: 9\nname: pier\n', before, 'tanks: 9\nname: pier\n'],
  [
    'what was edited stays, and what is new comes along',
    '# How many\ntanks: 9\nname: pier\n',
    '# How many\ntanks: 3\nname: quay\nlamps: 4\n',
    '# How many\ntanks: 9\nname: quay\nlamps: 4\n',
  ],
  ['what nobody can read gives way', 'tanks: [', 'tanks: 3\n', 'tanks: 3\n'],
])('%s', (_, yours, theirs, carried) => {
  expect(carriedOver({ before, yours, theirs })).toBe(carried)
})
